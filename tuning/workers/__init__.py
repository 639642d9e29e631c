"""A pool of workers that run jobs: this process, processes of this machine, or a Dask cluster."""
