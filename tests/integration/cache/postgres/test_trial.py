"""Tables of a trial: what is removed at its end, and what stays."""

import psycopg
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.postgres.trial import TrialTables
from salt_g.cache.store_choice import store_at
from salt_g.errors import StoreError, StoreFilled, StoreInUse

#: What is in the schema, of any kind.
NAMES = (
    "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'salt_g'"
    " UNION SELECT proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = 'salt_g'"
    " UNION SELECT nspname FROM pg_namespace WHERE nspname = 'salt_g'"
)


@pytest.fixture
def owner(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection
        connection.execute("DROP VIEW IF EXISTS public.of_a_user")


@pytest.fixture
def tables(postgres_url, owner):
    return TrialTables(postgres_url)


def names(owner):
    return {name for (name,) in owner.execute(NAMES).fetchall()}


def test_all_that_was_made_is_removed_with_its_data(tables, owner, postgres_url):
    tables.make()
    with store_at(postgres_url) as store:
        Banks(store).store("grains", "m1", 1).result()

    tables.remove()

    assert names(owner) == set()


def test_a_schema_that_was_there_stays(tables, owner):
    owner.execute("CREATE SCHEMA salt_g")

    tables.make()
    tables.remove()

    assert names(owner) == {"salt_g"}


@pytest.mark.parametrize(
    "made", ["CREATE VIEW public.of_a_user AS SELECT jid FROM salt_g.jobs", "CREATE TABLE salt_g.of_a_user()"]
)
def test_what_others_made_meanwhile_stays_with_all_that_it_needs(tables, owner, made):
    tables.make()
    owner.execute(made)
    before = names(owner)

    with pytest.raises(StoreError, match="has something that needs these tables: .*of_a_user"):
        tables.remove()

    assert names(owner) == before


def test_tables_that_were_made_anew_are_not_ours(tables, owner, postgres_url):
    tables.make()
    owner.execute("DROP SCHEMA salt_g CASCADE")
    with store_at(postgres_url):
        pass
    before = names(owner)

    with pytest.raises(StoreError):
        tables.remove()

    assert names(owner) == before


def test_tables_that_are_there_are_not_used(tables, owner, postgres_url):
    with store_at(postgres_url):
        pass
    before = names(owner)

    with pytest.raises(StoreFilled, match="name a database without them"):
        tables.make()
    tables.remove()

    assert names(owner) == before


def test_tables_in_use_are_not_removed(tables, owner, postgres_url):
    tables.make()
    before = names(owner)
    with store_at(postgres_url), pytest.raises(StoreInUse):
        tables.remove()

    assert names(owner) == before


def test_a_server_that_is_away_is_reported():
    with pytest.raises(StoreError, match="cannot be reached"):
        TrialTables("postgresql://salt@127.0.0.1:1/salt").make()
