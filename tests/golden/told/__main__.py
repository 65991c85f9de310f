"""Write the stories anew."""

from tests.golden.told import write_all

write_all()
