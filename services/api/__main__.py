"""`python -m services.api`: serve the API alone, on the store that the settings name."""

from services.api.serve import serve
from services.core.settings import read_settings

if __name__ == "__main__":
    serve(read_settings())
