"""Rows by a hash, as a dictionary would find them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_tui.bundles.lookup import Lookup

FEW = st.sampled_from([0, 1, 64, 65, 128, 2**63, 2**64 - 1])
"""Some share the place where they are sought first."""


@given(hashes=st.lists(FEW | st.integers(0, 2**64 - 1), max_size=300), room=st.integers(0, 1000))
def test_the_rows_of_a_hash_are_found_in_order(hashes: list[int], room: int) -> None:
    lookup = Lookup()
    lookup.make_room(room)
    repeated = lookup.add(hashes)
    rows = {each: [row for row, other in enumerate(hashes) if other == each] for each in [*hashes, 7]}
    assert {each: lookup.rows(each) for each in rows} == rows
    assert repeated == [row for row, each in enumerate(hashes) if rows[each][0] != row]
    assert [lookup.first(row) for row in range(len(hashes))] == [rows[each][0] for each in hashes]
    assert [lookup.is_alone(row) for row in range(len(hashes))] == [len(rows[each]) == 1 for each in hashes]


@given(hashes=st.lists(FEW | st.integers(0, 2**64 - 1), max_size=120), cut=st.integers(0, 120))
def test_rows_that_are_added_to_a_lookup_in_files_are_found_like_all_others(hashes: list[int], cut: int) -> None:
    base, whole = Lookup(), Lookup()
    base.add(hashes[:cut])
    whole.add(hashes)
    lookup = Lookup.on(base.hashes, base.before, base.slots)
    lookup.add(hashes[cut:])
    assert len(lookup) == len(whole)
    assert [lookup.rows(each) for each in [*hashes, 7]] == [whole.rows(each) for each in [*hashes, 7]]
    alone = [whole.is_alone(row) for row in range(len(hashes))]
    assert [lookup.is_alone(row) for row in range(len(hashes))] == alone
    assert lookup.is_without_repeats == all(alone) == whole.is_without_repeats
