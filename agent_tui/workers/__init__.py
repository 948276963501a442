"""The same scoring on many processes or hosts.

    tasks       what there is to do: a file to be read whole, a range of the lines of one, the digest of one
    scoring     a task is done: `parts_of(task)` gives its runs, scored, as columns of bytes
    engine      `Engine.map(tasks)`: who does it; the process pool here, anything else that can call a function there
    engines     which engine a name means: `dask_engine` asks a Dask cluster, whose workers do a `dask_task`
    gathering   `Gathering.take(task, part)`: parts come in any order, twice or not at all, and are put in the order of
                the files, each once

An engine promises little: each task it is given is done at least once, by `parts_of` in a process where this very
version is installed, and each part comes back with its task. It may do a task twice, in any order, and forget one that
it says it lost. What a task gives depends on the task alone, so that whatever cuts a file into ranges gets the same
runs and the same counts. Workers import neither `cli` nor `tui`.
"""
