-- +goose Up
-- Keys and sort columns compare by bytes (COLLATE "C"): pages have the same order on every server.
-- JSON is text, never a JSON type, which would rewrite numbers and break hashes.

CREATE TABLE deployment_artifacts (
    digest         text COLLATE "C" PRIMARY KEY,
    kind           text NOT NULL,
    format_version integer NOT NULL,
    bytes          bytea NOT NULL,
    created_at     timestamptz NOT NULL
);

CREATE TABLE deployment_snapshots (
    digest           text COLLATE "C" PRIMARY KEY,
    format_version   integer NOT NULL,
    compiler_version text NOT NULL,
    environment      text NOT NULL,
    graph_digest     text NOT NULL,
    ir_digest        text NOT NULL,
    manifest_digest  text NOT NULL,
    schemas_digest   text NOT NULL,
    created_at       timestamptz NOT NULL
);

CREATE TABLE deployment_env_current (
    environment     text COLLATE "C" PRIMARY KEY,
    snapshot_digest text NOT NULL,
    version         bigint NOT NULL,
    updated_at      timestamptz NOT NULL
);

CREATE TABLE applied_resources (
    env             text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    name            text COLLATE "C" NOT NULL,
    spec_hash       text NOT NULL,
    normalized_spec text,
    applied_at      timestamptz NOT NULL,
    PRIMARY KEY (env, kind, name)
);

CREATE TABLE applies (
    id              text COLLATE "C" PRIMARY KEY,
    env             text COLLATE "C" NOT NULL,
    project         text NOT NULL,
    actor           text NOT NULL,
    plan_digest     text NOT NULL,
    snapshot_before text NOT NULL,
    snapshot_after  text NOT NULL,
    at              timestamptz NOT NULL
);
CREATE INDEX applies_by_env ON applies (env, at, id);

CREATE TABLE runs (
    run_id          text COLLATE "C" PRIMARY KEY,
    first_exec_id   text NOT NULL,
    workflow        text COLLATE "C" NOT NULL,
    env             text COLLATE "C" NOT NULL,
    snapshot_digest text NOT NULL,
    status          text COLLATE "C" NOT NULL,
    actor           text NOT NULL,
    tenant          text NOT NULL,
    thread          text NOT NULL,
    input           text,
    output          text,
    error_type      text NOT NULL,
    error_text      text NOT NULL,
    cost_usd        text NOT NULL,
    tokens_in       bigint NOT NULL,
    tokens_out      bigint NOT NULL,
    started_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    parent_run      text NOT NULL
);
CREATE INDEX runs_by_start ON runs (started_at, run_id);
CREATE INDEX runs_by_workflow ON runs (workflow, started_at, run_id);
CREATE INDEX runs_by_env ON runs (env, started_at, run_id);
CREATE INDEX runs_by_status ON runs (status, started_at, run_id);

CREATE TABLE run_steps (
    run_id      text COLLATE "C" NOT NULL,
    call_site   text COLLATE "C" NOT NULL,
    attempt     integer NOT NULL,
    kind        text NOT NULL,
    name        text NOT NULL,
    status      text NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz,
    cost_usd    text NOT NULL,
    tokens_in   bigint NOT NULL,
    tokens_out  bigint NOT NULL,
    substituted boolean NOT NULL,
    error_type  text NOT NULL,
    error_text  text NOT NULL,
    input       text,
    output      text,
    definition  text NOT NULL,
    output_ref  text NOT NULL,
    PRIMARY KEY (run_id, call_site, attempt)
);
CREATE INDEX run_steps_by_start ON run_steps (run_id, started_at, call_site, attempt);

CREATE TABLE trace_heads (
    run_id    text COLLATE "C" PRIMARY KEY,
    seq       bigint NOT NULL,
    prev_hash text NOT NULL,
    hash      text NOT NULL
);

CREATE TABLE trace_events (
    run_id     text COLLATE "C" NOT NULL,
    seq        bigint NOT NULL,
    call_site  text COLLATE "C" NOT NULL,
    attempt    integer NOT NULL,
    type       text COLLATE "C" NOT NULL,
    ordinal    integer NOT NULL,
    actor_type text NOT NULL,
    actor_id   text NOT NULL,
    at         timestamptz NOT NULL,
    data       text NOT NULL,
    prev_hash  text NOT NULL,
    hash       text NOT NULL,
    PRIMARY KEY (run_id, seq),
    CONSTRAINT trace_events_identity UNIQUE (run_id, call_site, attempt, type, ordinal)
);

CREATE TABLE approvals (
    approval_id     text COLLATE "C" PRIMARY KEY,
    run_id          text COLLATE "C" NOT NULL,
    call_site       text NOT NULL,
    kind            text NOT NULL,
    tool            text NOT NULL,
    operation       text NOT NULL,
    description     text NOT NULL,
    payload         text,
    revision        text NOT NULL,
    snapshot_digest text NOT NULL,
    policy_digest   text NOT NULL,
    rule            text NOT NULL,
    allowed         text NOT NULL,
    edit_paths      text NOT NULL,
    approvers       text NOT NULL,
    min_approvals   integer NOT NULL,
    submitter       text NOT NULL,
    status          text COLLATE "C" NOT NULL,
    granted         text NOT NULL,
    opened_at       timestamptz NOT NULL,
    expires_at      timestamptz,
    closed_at       timestamptz
);
CREATE INDEX approvals_by_opening ON approvals (opened_at, approval_id);
CREATE INDEX approvals_by_status ON approvals (status, opened_at, approval_id);
CREATE INDEX approvals_by_run ON approvals (run_id, opened_at, approval_id);

CREATE TABLE decisions (
    approval_id text COLLATE "C" NOT NULL,
    n           integer NOT NULL,
    decision    text NOT NULL,
    revision    text NOT NULL,
    granted     text NOT NULL,
    actor       text NOT NULL,
    verified    boolean NOT NULL,
    signature   text NOT NULL,
    reason      text NOT NULL,
    edit        text,
    at          timestamptz NOT NULL,
    PRIMARY KEY (approval_id, n)
);

CREATE TABLE effects (
    operation_id text COLLATE "C" PRIMARY KEY,
    run_id       text COLLATE "C" NOT NULL,
    call_site    text NOT NULL,
    tool         text NOT NULL,
    operation    text NOT NULL,
    revision     text NOT NULL,
    state        text NOT NULL,
    reconciled   boolean NOT NULL,
    provider_id  text NOT NULL,
    approval_id  text COLLATE "C" NOT NULL,
    result_ref   text NOT NULL,
    error_text   text NOT NULL,
    attempts     integer NOT NULL,
    prepared_at  timestamptz NOT NULL,
    sent_at      timestamptz,
    settled_at   timestamptz
);
CREATE INDEX effects_by_run ON effects (run_id, prepared_at, operation_id);
-- A permit is taken once, whichever operation comes first.
CREATE UNIQUE INDEX effects_permit ON effects (approval_id) WHERE approval_id <> '';
