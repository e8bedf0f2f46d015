"""A drawn game before `railspotter play`, in processes of their own, to be attacked and judged."""
