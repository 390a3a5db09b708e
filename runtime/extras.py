"""What an extra of the package brings, as `pip install 'lars2asp[tables]'`: it is imported when it is needed.

pyproject.toml lists the extras and their packages. No module that the command line imports at its start, and
none with a public name, needs one; what does says so here, in the same words.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from lars2asp.runtime.errors import InputError


class MissingPackageError(InputError, ImportError):
    """A package is not installed; the message says how to install it."""


def needed(module: str, extra: str | None, whose: str) -> ModuleType:
    """A module of a package that an extra brings, or one of ours that needs such a package.

    Args:
        module: its name.
        extra: that of the extra; None for a package of the user's own, which no extra brings.
        whose: what needs it, as the message begins: an address, a file.

    Raises MissingPackageError where the package, or one that it needs itself, cannot be imported.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = (error.name or module).partition(".")[0]
        if package == "lars2asp":
            raise
        raise _missing(package, extra, whose) from error
    except ImportError as error:
        reason = str(error).partition("\n")[0]
        package = module.partition(".")[0]
        raise MissingPackageError(f"{whose}: cannot import the package {package}: {reason}") from error


def check_installed(packages: tuple[str, ...], extra: str, whose: str) -> None:
    """Raises MissingPackageError where a package is missing; none is imported."""
    for package in packages:
        if find_spec(package) is None:
            raise _missing(package, extra, whose)


def _missing(package: str, extra: str | None, whose: str) -> MissingPackageError:
    name = package if extra is None else f"'lars2asp[{extra}]'"
    return MissingPackageError(f"{whose}: the package {package} is missing: pip install {name}")
