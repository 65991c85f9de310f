"""Mutation testing of critical code: `make mutants` changes one operator at a time and sees which test notices."""
