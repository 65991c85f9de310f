"""Terminal front-end of Stele: `stele play`, the interactive screen of `stele replay`, and films of `stele picture`.

The server finds these by name (`services.cli.terminal`) and works without them; `pip install 'stele[terminal]'` adds them.
"""
