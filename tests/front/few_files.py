"""The API as a program that may open few files, as under `ulimit -n 256`."""

import resource
import sys

if __name__ == "__main__":
    files = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    from services.api.serve import serve
    from services.core.settings import read_settings

    serve(read_settings())
