"""The `@`-functions that programs call and their scripts define."""

from tests.support.programs import said


def test_main_of_a_script_is_not_called() -> None:
    found = said("#script (python)\ndef main(prg): pass\n#end.\na.")
    assert "warning: L903: lars2asp does not call main" in found
