"""What was read and scored, kept in the cache so that it is there at once the next time. It is always disposable.

    columns     files of numbers, a column each, that only grow
    frames      the log of what was put into them: a frame says how far they are good, with a hash of every piece
    writer      one program at a time puts parts into an index
    view        any number of programs map the columns as far as the log goes, and follow it while it grows
    place       the folder of an index, whose key says all that it depends on; what tells that it is out of date

What is in a column and in no frame was not finished, and is cut off by the next writer. A frame that is broken, a piece
whose hash is another, a version that is another: the index is thrown away and made again. Nothing is ever trusted that
was not checked.
"""
