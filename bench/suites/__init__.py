"""What is measured: each module has `run`, which gives the figures of one suite."""
