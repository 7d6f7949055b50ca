-- +goose Up
-- Times are RFC 3339 text in UTC with six fractional digits, so text order is time order.

CREATE TABLE deployment_artifacts (
    digest         TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    format_version INTEGER NOT NULL,
    bytes          BLOB NOT NULL,
    created_at     TEXT NOT NULL
) STRICT;

CREATE TABLE deployment_snapshots (
    digest           TEXT PRIMARY KEY,
    format_version   INTEGER NOT NULL,
    compiler_version TEXT NOT NULL,
    environment      TEXT NOT NULL,
    graph_digest     TEXT NOT NULL,
    ir_digest        TEXT NOT NULL,
    manifest_digest  TEXT NOT NULL,
    schemas_digest   TEXT NOT NULL,
    created_at       TEXT NOT NULL
) STRICT;

CREATE TABLE deployment_env_current (
    environment     TEXT PRIMARY KEY,
    snapshot_digest TEXT NOT NULL,
    version         INTEGER NOT NULL,
    updated_at      TEXT NOT NULL
) STRICT;

CREATE TABLE applied_resources (
    env             TEXT NOT NULL,
    kind            TEXT NOT NULL,
    name            TEXT NOT NULL,
    spec_hash       TEXT NOT NULL,
    normalized_spec TEXT,
    applied_at      TEXT NOT NULL,
    PRIMARY KEY (env, kind, name)
) STRICT;

CREATE TABLE applies (
    id              TEXT PRIMARY KEY,
    env             TEXT NOT NULL,
    project         TEXT NOT NULL,
    actor           TEXT NOT NULL,
    plan_digest     TEXT NOT NULL,
    snapshot_before TEXT NOT NULL,
    snapshot_after  TEXT NOT NULL,
    at              TEXT NOT NULL
) STRICT;
CREATE INDEX applies_by_env ON applies (env, at, id);

CREATE TABLE runs (
    run_id          TEXT PRIMARY KEY,
    first_exec_id   TEXT NOT NULL,
    workflow        TEXT NOT NULL,
    env             TEXT NOT NULL,
    snapshot_digest TEXT NOT NULL,
    status          TEXT NOT NULL,
    actor           TEXT NOT NULL,
    tenant          TEXT NOT NULL,
    thread          TEXT NOT NULL,
    input           TEXT,
    output          TEXT,
    error_type      TEXT NOT NULL,
    error_text      TEXT NOT NULL,
    cost_usd        TEXT NOT NULL,
    tokens_in       INTEGER NOT NULL,
    tokens_out      INTEGER NOT NULL,
    started_at      TEXT NOT NULL,
    finished_at     TEXT,
    parent_run      TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_start ON runs (started_at, run_id);
CREATE INDEX runs_by_workflow ON runs (workflow, started_at, run_id);
CREATE INDEX runs_by_env ON runs (env, started_at, run_id);
CREATE INDEX runs_by_status ON runs (status, started_at, run_id);

CREATE TABLE run_steps (
    run_id      TEXT NOT NULL,
    call_site   TEXT NOT NULL,
    attempt     INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL,
    status      TEXT NOT NULL,
    started_at  TEXT NOT NULL,
    finished_at TEXT,
    cost_usd    TEXT NOT NULL,
    tokens_in   INTEGER NOT NULL,
    tokens_out  INTEGER NOT NULL,
    substituted INTEGER NOT NULL,
    error_type  TEXT NOT NULL,
    error_text  TEXT NOT NULL,
    input       TEXT,
    output      TEXT,
    definition  TEXT NOT NULL,
    output_ref  TEXT NOT NULL,
    PRIMARY KEY (run_id, call_site, attempt)
) STRICT;
CREATE INDEX run_steps_by_start ON run_steps (run_id, started_at, call_site, attempt);

CREATE TABLE trace_heads (
    run_id    TEXT PRIMARY KEY,
    seq       INTEGER NOT NULL,
    prev_hash TEXT NOT NULL,
    hash      TEXT NOT NULL
) STRICT;

CREATE TABLE trace_events (
    run_id     TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    call_site  TEXT NOT NULL,
    attempt    INTEGER NOT NULL,
    type       TEXT NOT NULL,
    ordinal    INTEGER NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id   TEXT NOT NULL,
    at         TEXT NOT NULL,
    data       TEXT NOT NULL,
    prev_hash  TEXT NOT NULL,
    hash       TEXT NOT NULL,
    PRIMARY KEY (run_id, seq),
    CONSTRAINT trace_events_identity UNIQUE (run_id, call_site, attempt, type, ordinal)
) STRICT;

CREATE TABLE approvals (
    approval_id     TEXT PRIMARY KEY,
    run_id          TEXT NOT NULL,
    call_site       TEXT NOT NULL,
    kind            TEXT NOT NULL,
    tool            TEXT NOT NULL,
    operation       TEXT NOT NULL,
    description     TEXT NOT NULL,
    payload         TEXT,
    revision        TEXT NOT NULL,
    snapshot_digest TEXT NOT NULL,
    policy_digest   TEXT NOT NULL,
    rule            TEXT NOT NULL,
    allowed         TEXT NOT NULL,
    edit_paths      TEXT NOT NULL,
    approvers       TEXT NOT NULL,
    min_approvals   INTEGER NOT NULL,
    submitter       TEXT NOT NULL,
    status          TEXT NOT NULL,
    granted         TEXT NOT NULL,
    opened_at       TEXT NOT NULL,
    expires_at      TEXT,
    closed_at       TEXT
) STRICT;
CREATE INDEX approvals_by_opening ON approvals (opened_at, approval_id);
CREATE INDEX approvals_by_status ON approvals (status, opened_at, approval_id);
CREATE INDEX approvals_by_run ON approvals (run_id, opened_at, approval_id);

CREATE TABLE decisions (
    approval_id TEXT NOT NULL,
    n           INTEGER NOT NULL,
    decision    TEXT NOT NULL,
    revision    TEXT NOT NULL,
    granted     TEXT NOT NULL,
    actor       TEXT NOT NULL,
    verified    INTEGER NOT NULL,
    signature   TEXT NOT NULL,
    reason      TEXT NOT NULL,
    edit        TEXT,
    at          TEXT NOT NULL,
    PRIMARY KEY (approval_id, n)
) STRICT;

CREATE TABLE effects (
    operation_id TEXT PRIMARY KEY,
    run_id       TEXT NOT NULL,
    call_site    TEXT NOT NULL,
    tool         TEXT NOT NULL,
    operation    TEXT NOT NULL,
    revision     TEXT NOT NULL,
    state        TEXT NOT NULL,
    reconciled   INTEGER NOT NULL,
    provider_id  TEXT NOT NULL,
    approval_id  TEXT NOT NULL,
    result_ref   TEXT NOT NULL,
    error_text   TEXT NOT NULL,
    attempts     INTEGER NOT NULL,
    prepared_at  TEXT NOT NULL,
    sent_at      TEXT,
    settled_at   TEXT
) STRICT;
CREATE INDEX effects_by_run ON effects (run_id, prepared_at, operation_id);
-- A permit is taken once, whichever operation comes first.
CREATE UNIQUE INDEX effects_permit ON effects (approval_id) WHERE approval_id <> '';
