"""All kinds of tables."""

from tests.support.kinds.computers import COMPUTERS
from tests.support.kinds.homes import HOMES
from tests.support.kinds.money import MONEY
from tests.support.kinds.plants import PLANTS
from tests.support.kinds.spreadsheets import SPREADSHEETS
from tests.support.kinds.traffic import TRAFFIC
from tests.support.kinds.typed_files import TYPED_FILES
from tests.support.kinds.weather_and_energy import WEATHER_AND_ENERGY

TABLES = [
    *(*PLANTS, *WEATHER_AND_ENERGY, *MONEY, *TRAFFIC),
    *(*HOMES, *COMPUTERS, *SPREADSHEETS, *TYPED_FILES),
]
