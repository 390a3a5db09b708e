"""The five jobs in other systems, each a module that is run as a process.

    python -m experiments.jobs.peers.MODULE JOB INPUT OUTPUT

What they need is the extra `peers`; they import nothing else of the project, so that they run in any
environment that has it. They write tables of intervals: the first tick, the last one (empty: to the end), the
atom.
"""
