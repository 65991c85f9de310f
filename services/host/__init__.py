"""One machine as a host of Stele: `stele up` starts the store and the processes, and looks after them."""
