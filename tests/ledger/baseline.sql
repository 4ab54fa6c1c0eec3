-- What a ledger of the version before has beside its tables: made by tests/sql/dump-baseline.
do $do$ begin
create function tender.accept(p_task uuid, p_generation integer DEFAULT NULL::integer, p_part integer DEFAULT 0, p_units bigint DEFAULT NULL::bigint)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.adopt(p_task uuid, p_generation integer, p_part integer DEFAULT 0)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.announce(p_principal text, p_skill text, p_units bigint, p_ceiling numeric, p_window interval, p_due interval, p_key text DEFAULT NULL::text, p_client text DEFAULT NULL::text, p_deadline timestamp with time zone DEFAULT NULL::timestamp with time zone, p_rounds integer DEFAULT NULL::integer, p_backoff interval DEFAULT NULL::interval, p_ack interval DEFAULT NULL::interval, p_heartbeat interval DEFAULT NULL::interval, p_priority integer DEFAULT NULL::integer, p_partial text DEFAULT NULL::text, p_kill_fee numeric DEFAULT NULL::numeric, p_close_alone boolean DEFAULT NULL::boolean, p_fallback text DEFAULT NULL::text, p_again uuid DEFAULT NULL::uuid, p_content bytea DEFAULT NULL::bytea, p_needs text[] DEFAULT NULL::text[], p_tier text DEFAULT NULL::text, p_goal text DEFAULT NULL::text, p_after uuid[] DEFAULT NULL::uuid[], p_evidence text[] DEFAULT NULL::text[], p_accept interval DEFAULT NULL::interval, p_split_max integer DEFAULT NULL::integer, p_cover_all boolean DEFAULT NULL::boolean, p_improve integer DEFAULT NULL::integer, p_lead_only boolean DEFAULT NULL::boolean, p_invite_max integer DEFAULT NULL::integer, p_newcomers numeric DEFAULT NULL::numeric)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.believe(p_task uuid DEFAULT NULL::uuid, p_goal text DEFAULT NULL::text, p_belief text DEFAULT NULL::text, p_reason text DEFAULT NULL::text)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.cancel(p_task uuid, p_reason text DEFAULT NULL::text)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.close(p_task uuid)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.close_losses()
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.explain(p_task uuid)
returns TABLE(round integer, rank integer, contractor text, principal text, status text, reason text, cost numeric, eta interval, price numeric, rule text, part integer)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.fund(p_principal text, p_credits numeric)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.hold(p_reason text, p_contractor text DEFAULT NULL::text, p_principal text DEFAULT NULL::text, p_skill text DEFAULT NULL::text, p_task uuid DEFAULT NULL::uuid, p_text text DEFAULT NULL::text, p_until timestamp with time zone DEFAULT NULL::timestamp with time zone)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.reject(p_task uuid, p_reason text, p_text text DEFAULT NULL::text, p_units bigint DEFAULT 0, p_generation integer DEFAULT NULL::integer, p_part integer DEFAULT 0)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.release(p_task uuid DEFAULT NULL::uuid, p_contractor text DEFAULT NULL::text, p_principal text DEFAULT NULL::text, p_skill text DEFAULT NULL::text)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.result(p_task uuid, p_generation integer, p_part integer DEFAULT 0)
returns bytea
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.set_rate(p_skill text, p_rate numeric, p_threshold numeric, p_tier text DEFAULT NULL::text, p_share numeric DEFAULT 0.02)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.set_resource(p_resource text, p_count integer, p_contractor text DEFAULT NULL::text)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender.verify_task(p_task uuid)
returns TABLE(entries bigint, faults bigint, first_fault integer, head text)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_adoptions(p_shard smallint, p_task uuid[], p_number integer[], p_part integer[], p_generation integer[], p_late integer[], p_adopted_at timestamp with time zone[], p_units integer[], p_paid_micro bigint[], p_principal text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_afters(p_shard smallint, p_task uuid[], p_after uuid[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_commitments(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units_done integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_goals(p_shard smallint, p_task uuid[], p_principal text[], p_goal text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_measured(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_at timestamp with time zone[], p_contractor text[], p_principal text[], p_tier text[], p_units integer[], p_bid_micro bigint[], p_estimate_micro bigint[], p_measured_micro bigint[], p_evidence text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_needs(p_shard smallint, p_task uuid[], p_need text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_partition(p_since_at timestamp with time zone, p_until_at timestamp with time zone)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_posted(p_shard smallint, p_task uuid[], p_round integer[], p_at timestamp with time zone[], p_rate_micro bigint[], p_units integer[], p_is_sample boolean[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_tasks(p_shard smallint, p_task uuid[], p_announced_at timestamp with time zone[], p_partial smallint[], p_round integer[], p_units integer[], p_ceiling_micro bigint[], p_again uuid[], p_client text[], p_principal text[], p_skill text[], p_key text[], p_body_digest bytea[], p_hash bytea[], p_body text[], p_content bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_hash bytea[], p_next_body text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.add_transfers(p_shard smallint, p_task uuid[], p_number integer[], p_generation integer[], p_at timestamp with time zone[], p_amount_micro bigint[], p_from_principal text[], p_from_bucket text[], p_to_principal text[], p_to_bucket text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.answer_requests(p_shard smallint, p_request bigint[], p_answer text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.append_entries(p_shard smallint, p_task uuid[], p_number integer[], p_at timestamp with time zone[], p_kind smallint[], p_body text[], p_content bytea[], p_hash bytea[], p_next_at timestamp with time zone[], p_next_kind smallint[], p_next_body text[], p_next_content bytea[], p_next_hash bytea[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.apply_recess(p_shard smallint, p_number integer, p_from timestamp with time zone, p_until timestamp with time zone)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.ask(p_kind text, p_peer text, p_principal text, p_key text, p_body jsonb)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.ask_about(p_kind text, p_task uuid, p_body jsonb)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.ask_decision(p_kind text, p_task uuid, p_generation integer, p_part integer, p_body jsonb)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.award_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.award_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_round integer[], p_owner text[], p_principal text[], p_units integer[], p_price_micro bigint[], p_awarded_at timestamp with time zone[], p_due_at timestamp with time zone[], p_acknowledged_at timestamp with time zone[], p_units_done integer[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.begin_batch(p_shard smallint, p_reign bigint, p_batch bigint, p_stamp timestamp with time zone)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.caller()
returns text
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.change_parts(p_shard smallint, p_task uuid[], p_part integer[], p_state smallint[], p_reason smallint[], p_round integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[], p_units integer[], p_paid_micro bigint[], p_generation integer[], p_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.change_split(p_shard smallint, p_task uuid[], p_part integer[], p_acknowledged_at timestamp with time zone[], p_reported integer[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.check_form(p_field text, p_value text, p_form text, p_help text)
returns text
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.check_list(p_field text, p_items anyarray, p_maximum integer)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.check_range(p_field text, p_value bigint, p_minimum bigint, p_maximum bigint)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.deliver_parts(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_delivered_at timestamp with time zone[], p_accept_by_at timestamp with time zone[], p_units integer[], p_size bigint[], p_digest bytea[], p_owner text[], p_evidence text[], p_measured_micro bigint[], p_tier text[], p_is_active boolean[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.drop_partition(p_from_id uuid)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.due_partitions(p_before timestamp with time zone)
returns TABLE(suffix text, since_at timestamp with time zone, until_at timestamp with time zone, from_id uuid, to_id uuid, state text, waits_for uuid, waits_because text)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.end_split(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_acknowledged_at timestamp with time zone[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_units integer[], p_paid_micro bigint[], p_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.enrol(p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[], p_number integer[], p_enrolled_at timestamp with time zone[], p_departed_at timestamp with time zone[], p_departed_reason smallint[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.finish_tasks(p_shard smallint, p_task uuid[], p_ended_at timestamp with time zone[], p_state smallint[], p_reason smallint[], p_round integer[], p_units integer[], p_paid_micro bigint[], p_released_micro bigint[], p_acknowledged_at timestamp with time zone[], p_generation integer[], p_commitment_ended_at timestamp with time zone[], p_ended_state smallint[], p_ended_reason smallint[], p_ended_units integer[], p_ended_paid_micro bigint[], p_ended_fee_micro bigint[], p_number integer[], p_hash bytea[], p_body text[], p_content bytea[], p_moves_money boolean)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.first_id(p_at timestamp with time zone)
returns uuid
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.forget_tasks(p_before timestamp with time zone, p_limit integer)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.free_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.held_batch(p_shard smallint, p_reign bigint, p_mark integer)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.hold_resources(p_shard smallint, p_task uuid[], p_part integer[], p_generation integer[], p_owner text[], p_held_at timestamp with time zone[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.hold_subject(p_contractor text, p_principal text, p_skill text)
returns jsonb
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.is_operator()
returns boolean
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.keep_facts(p_shard smallint, p_kind smallint[], p_subject text[], p_number integer[], p_is_over boolean[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.keep_partitions(p_at timestamp with time zone)
returns timestamp with time zone
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.last_commitments(p_shard smallint, p_since timestamp with time zone)
returns SETOF tender_ledger.ending
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.lookup_keys(p_shard smallint, p_place integer[], p_principal text[], p_key text[], p_body_digest bytea[])
returns TABLE(place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.lookup_paid(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[])
returns TABLE(place integer, units_done integer, paid_micro bigint)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.lookup_task(p_shard smallint, p_task uuid, p_part integer, p_generation integer)
returns TABLE(task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.lookup_tasks(p_shard smallint, p_place integer[], p_task uuid[], p_part integer[], p_generation integer[])
returns TABLE(place integer, task_id uuid, newest uuid, state smallint, reason smallint, client text, principal text, round integer, units integer, units_done integer, paid_micro bigint, commitment_state smallint, contractor text, number integer, hash bytea)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.may_end(p_shard smallint, p_reign bigint)
returns boolean
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.may_speak_for(p_principal text)
returns boolean
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.may_take(p_shard smallint, p_broker text)
returns boolean
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.move_money(p_shard smallint, p_principal text[], p_issued_micro bigint[], p_available_micro bigint[], p_reserved_micro bigint[], p_spent_micro bigint[], p_earned_micro bigint[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.no_task(p_task uuid)
returns text
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.note_limits(p_broker text, p_names text[], p_times bigint[], p_consequences text[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.note_loss(p_shard smallint, p_reign bigint, p_mark integer, p_told bigint, p_held bigint, p_peer text)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.partition_money(p_from_id uuid)
returns TABLE(told_by text, shard smallint, from_principal text, from_bucket text, to_principal text, to_bucket text, amount_micro bigint, movements bigint)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.partition_tables(p_from_id uuid)
returns TABLE(parent text, name text, place text)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.pending_requests(p_shard smallint, p_held bigint[], p_limit integer)
returns TABLE(request bigint, kind text, peer text, principal text, is_operator boolean, body text)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.prove_partition(p_from_id uuid, p_tasks bigint, p_entries bigint, p_root bytea, p_manifest_digest bytea, p_directory text)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_after(p_shard smallint)
returns TABLE(task_id uuid, after_id uuid, state smallint, reason smallint)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_balances(p_shard smallint)
returns TABLE(principal text, available_micro bigint, reserved_micro bigint, spent_micro bigint, earned_micro bigint)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_head(p_shard smallint, p_task uuid)
returns TABLE(number integer, hash bytea)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_house(p_shard smallint)
returns TABLE(task_id uuid, number integer, at timestamp with time zone, kind smallint, body text, content bytea, hash bytea)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_keys(p_shard smallint, p_limit bigint)
returns TABLE(principal text, key text)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_records(p_shard smallint)
returns TABLE(principal text, ended integer, fulfilled integer)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_reigns(p_shard smallint, p_limit integer)
returns TABLE(reign bigint, mark integer, batch bigint)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_strikes(p_shard smallint)
returns TABLE(contractor text, skill text, client text, at timestamp with time zone, kept integer)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.recall_tasks(p_shard smallint, p_after uuid, p_limit integer)
returns TABLE(task_id uuid, number integer, at timestamp with time zone, kind smallint, body text, content bytea, hash bytea)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.release_reign(p_shard smallint, p_reign bigint)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.remember_tasks(p_shard smallint, p_from_id uuid, p_to_id uuid)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.renew_reign(p_shard smallint, p_reign bigint, p_lease interval)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.resume_reign(p_shard smallint, p_reign bigint)
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.schema_version()
returns TABLE(version integer, routines text)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.seal_partition(p_from_id uuid)
returns boolean
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.set_resources(p_shard smallint, p_resource text[], p_contractor text[], p_count integer[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.spend(p_shard smallint, p_payer text[], p_paid_micro bigint[], p_released_micro bigint[])
returns void
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.sweep_partition(p_from_id uuid, p_shard smallint, p_limit integer)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.take_reign(p_shard smallint, p_broker text, p_urls text, p_lease interval, p_first interval)
returns TABLE(reign bigint, batch bigint, stamp_at timestamp with time zone, clock_at timestamp with time zone)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.to_micro(p_field text, p_credits numeric, p_minimum numeric)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.to_us(p_field text, p_duration interval, p_minimum bigint)
returns bigint
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create function tender_ledger.watch_reigns(p_broker text, p_urls text, p_lease interval)
returns TABLE(shard smallint, reign bigint, broker text, urls text, is_free boolean)
language plpgsql as $$begin end$$;
exception when duplicate_function then null; end $do$;
do $do$ begin
create view tender.account as
 SELECT a.principal, (sum(a.available_micro) / 1000000.0)::numeric(20,6) AS available,
    (sum(a.reserved_micro) / 1000000.0)::numeric(20,6) AS reserved,
    (sum(a.spent_micro) / 1000000.0)::numeric(20,6) AS spent, (sum(a.earned_micro) / 1000000.0)::numeric(20,6) AS earned,
    (sum(a.issued_micro) / 1000000.0)::numeric(20,6) AS issued
   FROM tender_ledger.account a
  GROUP BY a.principal;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.archive as
 SELECT p.suffix AS archive, p.since_at, p.until_at, p.state, p.tasks, p.entries, p.retired_at, p.retired_by,
    p.directory, encode(p.root, 'hex'::text) AS root, encode(p.manifest_digest, 'hex'::text) AS manifest_sha256
   FROM tender_ledger.partition p
  WHERE p.state <> 'live'::text;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.archived_task as
 SELECT a.task_id, a.client, a.principal, s.name AS status, r.name AS reason, a.units, a.units_done,
    (a.paid_micro::numeric / 1000000.0)::numeric(20,6) AS paid, a.ended_at, p.suffix AS archive, p.directory, a.key,
    a.again
   FROM tender_ledger.archived_task a
     JOIN tender_ledger.partition p ON a.task_id >= p.from_id AND a.task_id < p.to_id AND (p.state = ANY (ARRAY['detached'::text, 'archived'::text]))
     JOIN tender_ledger.word s ON s.vocabulary = 'task_state'::text AND s.code = a.state
     JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND r.code = a.reason;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender_ledger.entry as
 SELECT e.at, e.number, r.shard, e.kind, r.task_id, e.hash, e.body, e.content
   FROM tender_ledger.entry_row r
     CROSS JOIN LATERAL ( VALUES (r.at,r.number,r.kind,r.hash,r.body,r.content), (r.next_at,r.number + 1,r.next_kind,r.next_hash,r.next_body,r.next_content)) e(at, number, kind, hash, body, content)
  WHERE e.kind IS NOT NULL
UNION ALL
 SELECT e.at, e.number, t.shard, e.kind, t.task_id, e.hash, e.body, e.content
   FROM tender_ledger.task t
     CROSS JOIN LATERAL ( VALUES (t.announced_at,1,1::smallint,t.hash,t.body,t.content), (t.next_at,2,t.next_kind,t.next_hash,t.next_body,NULL::bytea)) e(at, number, kind, hash, body, content)
  WHERE e.hash IS NOT NULL
UNION ALL
 SELECT d.ended_at AS at, d.number, d.shard, 8::smallint AS kind, d.task_id, d.hash, d.body, d.content
   FROM tender_ledger.ending d
  WHERE d.number IS NOT NULL;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.award as
 SELECT e.task_id, (e.body ->> 'round'::text)::integer AS round, e.body ->> 'contractor'::text AS contractor,
        CASE
            WHEN pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR (e.body ->> 'principal'::text) = CURRENT_USER THEN COALESCE(e.body ->> 'cost_micro'::text,
            CASE e.kind
                WHEN 4 THEN '0'::text
                ELSE NULL::text
            END)::bigint::numeric / 1000000.0
            ELSE NULL::numeric
        END::numeric(20,6) AS cost,
    (COALESCE(e.body ->> 'price_micro'::text, '0'::text)::bigint::numeric / 1000000.0)::numeric(20,6) AS price,
    e.at AS awarded_at, e.body ->> 'principal'::text AS principal,
    (e.body ->> 'generation'::text)::integer AS generation,
        CASE
            WHEN e.kind = 14 THEN 'rate'::text
            WHEN e.body ? 'part'::text THEN 'clarke'::text
            ELSE COALESCE(e.body ->> 'price_set_by'::text, 'ceiling'::text)
        END AS price_set_by,
    COALESCE((e.body ->> 'part'::text)::integer, 0) AS part
   FROM ( SELECT f.task_id, f.at, f.kind, f.body::jsonb AS body
           FROM tender_ledger.entry f
          WHERE f.kind = ANY (ARRAY[4, 14])) e;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender_ledger.fact as
 SELECT f.shard, f.kind, f.subject, f.number, e.at, e.body::jsonb AS body
   FROM tender_ledger.house_fact f
     CROSS JOIN LATERAL ( SELECT r_1.at, r_1.next_at, r_1.number, r_1.shard, r_1.kind, r_1.next_kind, r_1.task_id,
            r_1.hash, r_1.next_hash, r_1.body, r_1.next_body, r_1.content, r_1.next_content
           FROM tender_ledger.entry_row r_1
          WHERE r_1.shard = f.shard AND r_1.task_id = '00000000-0000-0000-0000-000000000000'::uuid AND r_1.number >= (f.number - 1) AND r_1.number <= f.number
         OFFSET 0) r
     CROSS JOIN LATERAL ( VALUES (r.number,r.at,r.kind,r.body), (r.number + 1,r.next_at,r.next_kind,r.next_body)) e(number, at, kind, body)
  WHERE e.number = f.number AND e.kind IS NOT NULL;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.belief as
 SELECT e.task_id, NULL::text AS goal, e.body ->> 'by'::text AS by, e.body ->> 'principal'::text AS principal,
    COALESCE(e.body ->> 'belief'::text, 'none'::text) AS belief, e.body ->> 'text'::text AS text, e.at,
    NULL::timestamp with time zone AS suspended_until
   FROM ( SELECT f.task_id, f.at, f.body::jsonb AS body
           FROM tender_ledger.entry f
          WHERE f.kind = 17) e
UNION ALL
 SELECT NULL::uuid AS task_id, e.body ->> 'goal'::text AS goal, e.body ->> 'by'::text AS by,
    e.body ->> 'principal'::text AS principal, COALESCE(e.body ->> 'belief'::text, 'none'::text) AS belief,
    e.body ->> 'text'::text AS text, e.at,
    '1970-01-01 00:00:00+00'::timestamp with time zone + ((e.body ->> 'until_us'::text)::bigint)::double precision * '00:00:00.000001'::interval AS suspended_until
   FROM tender_ledger.fact e
  WHERE e.kind = 28;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.bid as
 SELECT a.task_id, a.round, a.answer ->> 'contractor'::text AS contractor, a.answer ->> 'principal'::text AS principal,
        CASE
            WHEN pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR (a.answer ->> 'principal'::text) = CURRENT_USER THEN COALESCE(a.answer ->> 'cost_micro'::text,
            CASE a.state
                WHEN 'standing'::text THEN '0'::text
                ELSE NULL::text
            END)::bigint::numeric / 1000000.0
            ELSE NULL::numeric
        END::numeric(20,6) AS cost,
        CASE
            WHEN a.answer ? 'eta_us'::text THEN LEAST((a.answer ->> 'eta_us'::text)::bigint, '9223372036854774784'::bigint)::double precision * '00:00:00.000001'::interval
            ELSE NULL::interval
        END AS eta,
        CASE
            WHEN a.state <> 'standing'::text THEN a.state
            WHEN w.contractor IS NOT NULL THEN 'won'::text
            ELSE COALESCE(k.rank ->> 'state'::text, 'lost'::text)
        END AS status,
        CASE
            WHEN a.state <> 'standing'::text THEN COALESCE(a.answer ->> 'reason'::text, 'none'::text)
            WHEN w.contractor IS NOT NULL AND (k.rank ->> 'state'::text) IS DISTINCT FROM 'won'::text THEN 'lowest-cost'::text
            ELSE COALESCE(k.rank ->> 'reason'::text, 'round-cancelled'::text)
        END AS reason,
    (k.rank ->> 'rank'::text)::integer AS rank, a.at, a.answer ->> 'text'::text AS text
   FROM ( SELECT e.shard, e.task_id, e.number, e.at, (e.body ->> 'round'::text)::integer AS round, i.answer,
            COALESCE(i.answer ->> 'state'::text, 'standing'::text) AS state,
            row_number() OVER (PARTITION BY e.shard, e.task_id, (e.body ->> 'round'::text), (i.answer ->> 'contractor'::text) ORDER BY ((i.answer ->> 'state'::text) = 'ineligible'::text), e.number DESC, i.place DESC) AS newest,
            (i.answer ->> 'state'::text) = 'ineligible'::text AS is_extra
           FROM ( SELECT f.shard, f.task_id, f.number, f.at, f.body::jsonb AS body
                   FROM tender_ledger.entry f
                  WHERE f.kind = 3) e
             CROSS JOIN LATERAL jsonb_array_elements(e.body -> 'answers'::text) WITH ORDINALITY i(answer, place)) a
     LEFT JOIN LATERAL ( SELECT f.number, (f.body::jsonb ->> 'reason'::text) = 'improving'::text AS is_improving
           FROM tender_ledger.entry f
          WHERE f.shard = a.shard AND f.task_id = a.task_id AND (f.kind = ANY (ARRAY[4, 5])) AND ((f.body::jsonb ->> 'round'::text)::integer) = a.round
          ORDER BY f.number
         LIMIT 1) c ON true
     LEFT JOIN LATERAL ( SELECT r.rank
           FROM tender_ledger.entry f
             CROSS JOIN LATERAL jsonb_array_elements(f.body::jsonb -> 'ranks'::text) r(rank)
          WHERE f.shard = a.shard AND f.task_id = a.task_id AND (f.kind = ANY (ARRAY[4, 5])) AND ((f.body::jsonb ->> 'round'::text)::integer) = a.round AND (r.rank ->> 'contractor'::text) = (a.answer ->> 'contractor'::text)
          ORDER BY f.number DESC
         LIMIT 1) k ON a.state = 'standing'::text
     LEFT JOIN LATERAL ( SELECT f.body::jsonb ->> 'contractor'::text AS contractor
           FROM tender_ledger.entry f
          WHERE f.shard = a.shard AND f.task_id = a.task_id AND f.kind = 4 AND ((f.body::jsonb ->> 'round'::text)::integer) = a.round AND (f.body::jsonb ->> 'contractor'::text) = (a.answer ->> 'contractor'::text)
         LIMIT 1) w ON a.state = 'standing'::text
  WHERE (a.newest = 1 OR a.is_extra) AND
        CASE
            WHEN c.is_improving THEN (EXISTS ( SELECT
               FROM tender_ledger.entry f
              WHERE f.shard = a.shard AND f.task_id = a.task_id AND f.number > c.number AND ((f.kind = ANY (ARRAY[4, 11, 13])) OR f.kind = 5 AND (f.body::jsonb ->> 'reason'::text) IS DISTINCT FROM 'improving'::text)))
            ELSE c.number IS NOT NULL OR (EXISTS ( SELECT
               FROM tender_ledger.entry f
              WHERE f.shard = a.shard AND f.task_id = a.task_id AND f.number > a.number AND (f.kind = ANY (ARRAY[2, 11, 13]))))
        END;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.bid_fidelity as
 SELECT m.contractor, m.tier, m.reports, m.ratio, m.estimate_ratio, m.bias, m.exact_share,
        CASE
            WHEN m.is_shown THEN m.bid_micro / 1000000.0
            ELSE NULL::numeric
        END::numeric(20,6) AS bid,
        CASE
            WHEN m.is_shown THEN m.measured_micro / 1000000.0
            ELSE NULL::numeric
        END::numeric(20,6) AS measured,
        CASE
            WHEN m.is_shown THEN m.tokens_in
            ELSE NULL::bigint
        END AS tokens_in,
        CASE
            WHEN m.is_shown THEN m.tokens_out
            ELSE NULL::bigint
        END AS tokens_out,
    m.principal
   FROM ( SELECT m_1.contractor, m_1.principal, m_1.tier, count(*) AS reports,
            round(sum(m_1.bid_micro) / sum(m_1.measured_micro), 6) AS ratio,
            round(sum(m_1.estimate_micro) / sum(m_1.measured_micro) FILTER (WHERE m_1.estimate_micro IS NOT NULL), 6) AS estimate_ratio,
            round(avg((m_1.bid_micro - m_1.measured_micro)::numeric / m_1.measured_micro::numeric), 6) AS bias,
            round(avg(((abs(m_1.bid_micro - m_1.measured_micro)::numeric * 100::numeric) <= m_1.measured_micro::numeric)::integer), 6) AS exact_share,
            sum(m_1.bid_micro) AS bid_micro, sum(m_1.measured_micro) AS measured_micro,
            sum(m_1.tokens_in)::bigint AS tokens_in, sum(m_1.tokens_out)::bigint AS tokens_out,
            pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text) OR m_1.principal = CURRENT_USER AS is_shown
           FROM tender_ledger.measured m_1
          GROUP BY m_1.contractor, m_1.principal, m_1.tier) m;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.broker as
 SELECT COALESCE(r.broker, b.broker) AS broker, r.shard::integer AS shard, r.reign, COALESCE(r.urls, b.urls) AS urls,
    r.stamp_at, r.lease_ends_at,
        CASE
            WHEN r.lease_ends_at > clock_timestamp() THEN 'reigns'::text
            WHEN r.broker IS NOT NULL THEN 'gone'::text
            WHEN b.gone_at > clock_timestamp() THEN 'stands by'::text
            ELSE 'gone'::text
        END AS state
   FROM tender_ledger.reign r
     FULL JOIN tender_ledger.broker b ON b.broker = r.broker;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender_ledger.commitment as
 SELECT e.awarded_at, e.due_at, e.acknowledged_at, e.ended_at, e.price_micro, e.paid_micro, e.fee_micro, e.units,
    e.units_done, e.generation, e.round, e.part, e.shard, e.state, e.reason, e.task_id, e.owner, e.principal
   FROM tender_ledger.ending e
  WHERE e.generation > 0;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender_ledger.promise as
 SELECT p.shard, p.task_id, p.part, p.generation, p.awarded_round AS round, p.owner, p.principal,
    p.promised_units AS units, p.promised_units_done AS units_done, p.price_micro, p.awarded_at, p.due_at,
    p.acknowledged_at, p.promise_state AS state
   FROM tender_ledger.open_part p
  WHERE p.generation IS NOT NULL
UNION ALL
 SELECT s.shard, s.task_id, s.part, s.generation, s.awarded_round AS round, s.owner, s.principal,
    s.promised_units AS units, s.promised_units_done AS units_done, s.price_micro, s.awarded_at, s.due_at,
    s.acknowledged_at, s.promise_state AS state
   FROM tender_ledger.split_part s;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.client_record as
 SELECT t.client, t.principal, count(*) AS announced, count(*) FILTER (WHERE c.awards > 0) AS awarded,
    COALESCE(sum(d.delivered), 0::numeric)::bigint AS delivered,
    COALESCE(sum(d.accepted), 0::numeric)::bigint AS accepted, COALESCE(sum(d.rejected), 0::numeric)::bigint AS rejected,
    COALESCE(sum(d.by_silence), 0::numeric)::bigint AS by_silence,
    round(sum(d.rejected) / NULLIF(sum(d.accepted + d.rejected + d.by_silence), 0::numeric), 6) AS rejected_share
   FROM tender_ledger.task t
     CROSS JOIN LATERAL ( SELECT (( SELECT count(*) AS count
                   FROM tender_ledger.commitment c_1
                  WHERE c_1.shard = t.shard AND c_1.task_id = t.task_id)) + (( SELECT count(*) AS count
                   FROM tender_ledger.promise p
                  WHERE p.shard = t.shard AND p.task_id = t.task_id)) AS awards) c
     LEFT JOIN LATERAL ( SELECT count(*) AS delivered,
            count(*) FILTER (WHERE c_1.state = 3 AND c_1.reason <> 73) AS accepted,
            count(*) FILTER (WHERE c_1.reason = 74) AS rejected, count(*) FILTER (WHERE c_1.reason = 73) AS by_silence
           FROM tender_ledger.delivery d_1
             LEFT JOIN tender_ledger.commitment c_1 ON c_1.shard = d_1.shard AND c_1.task_id = d_1.task_id AND c_1.part = d_1.part AND c_1.generation = d_1.generation
          WHERE d_1.shard = t.shard AND d_1.task_id = t.task_id) d ON true
  GROUP BY t.client, t.principal;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.commitment as
 SELECT (c.task_id ||
        CASE
            WHEN c.part = 0 THEN '/'::text
            ELSE ('/'::text || c.part) || '.'::text
        END) || c.generation AS commitment_id,
    c.task_id, c.round, c.owner, t.client AS creditor, c.units, c.units_done,
    (c.price_micro::numeric / 1000000.0)::numeric(20,6) AS price,
    (c.paid_micro::numeric / 1000000.0)::numeric(20,6) AS paid, c.due_at, s.name AS status, r.name AS reason, c.ended_at,
    c.state = 1 AND c.due_at < clock_timestamp() AS overdue, c.principal, c.awarded_at, c.acknowledged_at,
    (c.fee_micro::numeric / 1000000.0)::numeric(20,6) AS fee
   FROM ( SELECT p.shard, p.task_id, p.part, p.generation, p.round, p.owner, p.principal, p.units, p.units_done,
            p.price_micro, 0::bigint AS paid_micro, 0::bigint AS fee_micro, p.awarded_at, p.due_at, p.acknowledged_at,
            NULL::timestamp with time zone AS ended_at, p.state, 0::smallint AS reason
           FROM tender_ledger.promise p
        UNION ALL
         SELECT c_1.shard, c_1.task_id, c_1.part, c_1.generation, c_1.round, c_1.owner, c_1.principal, c_1.units,
            c_1.units_done, c_1.price_micro,
            c_1.paid_micro + COALESCE(( SELECT sum(m.amount_micro) AS sum
                   FROM tender_ledger.transfer m
                  WHERE m.shard = c_1.shard AND m.task_id = c_1.task_id AND m.generation = c_1.generation AND m.to_bucket = 'earned'::text), 0::numeric)::bigint + COALESCE(( SELECT sum(a.paid_micro) AS sum
                   FROM tender_ledger.adoption a
                  WHERE a.shard = c_1.shard AND a.task_id = c_1.task_id AND a.part = c_1.part AND a.generation = c_1.generation), 0::numeric)::bigint,
            c_1.fee_micro, c_1.awarded_at, c_1.due_at, c_1.acknowledged_at, c_1.ended_at, c_1.state, c_1.reason
           FROM tender_ledger.commitment c_1) c
     JOIN tender_ledger.task t ON t.shard = c.shard AND t.task_id = c.task_id
     JOIN tender_ledger.word s ON s.vocabulary = 'commitment_state'::text AND s.code = c.state
     JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND r.code = c.reason;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.contractor_record as
 SELECT COALESCE(k.contractor, c.owner) AS contractor, COALESCE(k.principal, c.principal) AS principal, k.skills,
    k.slots, COALESCE(c.active, 0::bigint) AS active, COALESCE(c.awards, 0::bigint) AS awards,
    COALESCE(c.fulfilled, 0::bigint) AS fulfilled, COALESCE(c.failed, 0::bigint) AS failed,
    COALESCE(c.lapsed, 0::bigint) AS lapsed, COALESCE(c.declined, 0::bigint) AS declined,
    COALESCE(c.cancelled, 0::bigint) AS cancelled, COALESCE(c.on_time, 0::bigint) AS on_time,
    COALESCE(c.units_done, 0::bigint) AS units_done,
    (COALESCE(c.earned_micro, 0::bigint)::numeric / 1000000.0)::numeric(20,6) AS earned, k.enrolled_at, k.departed_at,
    r.name AS departed_reason, COALESCE(c.rejected, 0::bigint) AS rejected
   FROM tender_ledger.contractor k
     FULL JOIN ( SELECT a.owner, max(a.principal) AS principal, count(*) FILTER (WHERE a.state < 3) AS active,
            count(*) AS awards, count(*) FILTER (WHERE a.state = 3) AS fulfilled,
            count(*) FILTER (WHERE a.state = 4) AS failed, count(*) FILTER (WHERE a.state = 5) AS lapsed,
            count(*) FILTER (WHERE a.state = 6) AS declined, count(*) FILTER (WHERE a.state = 7) AS cancelled,
            count(*) FILTER (WHERE a.state = 3 AND a.ended_at <= a.due_at) AS on_time,
            count(*) FILTER (WHERE a.state = 4 AND a.reason = 74) AS rejected, sum(a.units_done) AS units_done,
            sum(a.paid_micro)::bigint AS earned_micro
           FROM ( SELECT c_1.owner, c_1.principal, c_1.state, c_1.reason, c_1.ended_at, c_1.due_at, c_1.units_done,
                    c_1.paid_micro
                   FROM tender_ledger.commitment c_1
                UNION ALL
                 SELECT p.owner, p.principal, p.state, NULL::smallint AS int2,
                    NULL::timestamp with time zone AS timestamptz, p.due_at, p.units_done, 0
                   FROM tender_ledger.promise p) a
          GROUP BY a.owner) c ON c.owner = k.contractor
     LEFT JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND r.code = k.departed_reason AND k.departed_at IS NOT NULL;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.delivery as
 SELECT ((d.task_id || '/'::text) ||
        CASE
            WHEN d.part > 0 THEN d.part || '.'::text
            ELSE ''::text
        END) || d.generation AS commitment_id,
    d.task_id, d.owner, d.units, d.delivered_at, m.accept_by,
        CASE
            WHEN c.state IS NULL THEN 'pending'::text
            WHEN c.reason = 73 THEN 'silence'::text
            WHEN c.state = 3 THEN 'accepted'::text
            ELSE 'rejected'::text
        END AS status,
    c.units_done AS accepted, d.size, encode(d.digest, 'hex'::text) AS sha256,
    ( SELECT jsonb_object_agg(substr(l.line, 1, strpos(l.line, '='::text) - 1), substr(l.line, strpos(l.line, '='::text) + 1)) AS jsonb_object_agg
           FROM string_to_table(d.evidence, '
'::text) l(line)
          WHERE strpos(l.line, '='::text) > 1) AS evidence,
    r.name AS reason, c.ended_at AS decided_at
   FROM tender_ledger.delivery d
     CROSS JOIN LATERAL ( WITH RECURSIVE moved(number, at) AS (
                 SELECT 0 AS "?column?", d.accept_by_at
                UNION ALL
                 SELECT r_1.number, r_1.until_at
                   FROM moved m_2
                     CROSS JOIN LATERAL ( SELECT r_2.number, r_2.until_at
                           FROM tender_ledger.recess r_2
                          WHERE r_2.shard = d.shard AND r_2.number > m_2.number AND m_2.at >= r_2.from_at AND m_2.at < r_2.until_at
                          ORDER BY r_2.number
                         LIMIT 1) r_1
                )
         SELECT m_1.at AS accept_by
           FROM moved m_1
          ORDER BY m_1.number DESC
         LIMIT 1) m
     LEFT JOIN tender_ledger.commitment c ON c.shard = d.shard AND c.task_id = d.task_id AND c.part = d.part AND c.generation = d.generation
     LEFT JOIN tender_ledger.entry e ON c.reason = 74 AND e.shard = d.shard AND e.task_id = d.task_id AND e.kind = 8 AND COALESCE((e.body::jsonb ->> 'part'::text)::integer, 0) = d.part AND ((e.body::jsonb ->> 'generation'::text)::integer) = d.generation
     LEFT JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND (c.reason <> 74 AND r.code = c.reason OR c.reason = 74 AND r.name = COALESCE(e.body::jsonb ->> 'said'::text, 'rejected'::text));
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender_ledger.task_end as
 SELECT e.task_ended_at AS ended_at, e.task_ceiling_micro AS ceiling_micro, e.task_paid_micro AS paid_micro,
    e.task_released_micro AS released_micro, e.task_units AS units, e.task_units_done AS units_done,
    e.task_round AS round, e.shard, e.task_state AS state, e.task_reason AS reason, e.task_id
   FROM tender_ledger.ending e
  WHERE e.task_state IS NOT NULL;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.dependency as
 SELECT a.task_id, a.after_id,
        CASE
            WHEN d.state IS NULL THEN 'pending'::text
            WHEN d.state = 6 OR s.name = 'cancelled'::text AND r.name = 'achieved'::text THEN 'done'::text
            ELSE 'failed'::text
        END AS status,
    COALESCE(s.name, o.name) AS after_status, r.name AS after_reason
   FROM tender_ledger.task_after a
     LEFT JOIN tender_ledger.task_end d ON d.shard = a.shard AND d.task_id = a.after_id
     LEFT JOIN tender_ledger.open_part p ON p.shard = a.shard AND p.task_id = a.after_id AND p.part = 0
     LEFT JOIN tender_ledger.word s ON s.vocabulary = 'task_state'::text AND s.code = d.state
     LEFT JOIN tender_ledger.word o ON o.vocabulary = 'task_state'::text AND o.code =
        CASE p.promise_state
            WHEN 1 THEN 3
            WHEN 2 THEN 4
            ELSE p.state::integer
        END
     LEFT JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND r.code = d.reason;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.goal as
 SELECT g.principal, g.goal, g.task_id, t.skill, s.name AS status, r.name AS reason,
    ( SELECT array_agg(a.after_id ORDER BY a.after_id) AS array_agg
           FROM tender_ledger.task_after a
          WHERE a.shard = g.shard AND a.task_id = g.task_id) AS after,
    COALESCE(h.owner, ( SELECT c.owner
           FROM tender_ledger.commitment c
          WHERE c.shard = g.shard AND c.task_id = g.task_id
          ORDER BY c.ended_at DESC, c.part DESC, c.generation DESC
         LIMIT 1)) AS owner,
    t.units, COALESCE(e.units_done, p.units_done) AS units_done,
    (COALESCE(e.paid_micro, p.paid_micro)::numeric / 1000000.0)::numeric(20,6) AS paid, b.belief, b.suspended_until,
    h.due_at, t.announced_at, e.ended_at
   FROM tender_ledger.task_goal g
     JOIN tender_ledger.task t ON t.shard = g.shard AND t.task_id = g.task_id
     LEFT JOIN tender_ledger.task_end e ON e.shard = g.shard AND e.task_id = g.task_id
     LEFT JOIN tender_ledger.open_part p ON p.shard = g.shard AND p.task_id = g.task_id AND p.part = 0
     LEFT JOIN LATERAL ( SELECT string_agg(q.owner, ' '::text ORDER BY q.part) AS owner, min(q.due_at) AS due_at
           FROM tender_ledger.promise q
          WHERE q.shard = g.shard AND q.task_id = g.task_id) h ON true
     LEFT JOIN tender_ledger.word s ON s.vocabulary = 'task_state'::text AND s.code = COALESCE(e.state::integer,
        CASE
            WHEN p.promise_state = 2 THEN 4
            WHEN h.owner IS NOT NULL THEN 3
            ELSE NULL::integer
        END, p.state::integer)
     LEFT JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND r.code = COALESCE(e.reason, p.reason)
     LEFT JOIN tender.belief b ON e.task_id IS NULL AND b.task_id IS NULL AND b.goal = g.goal AND b.principal = g.principal AND b.at >= t.announced_at;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.hold as
 SELECT f.body ->> 'contractor'::text AS contractor, f.body ->> 'principal'::text AS principal,
    f.body ->> 'skill'::text AS skill, NULL::uuid AS task_id,
    COALESCE(f.body ->> 'reason'::text, 'none'::text) AS reason, f.body ->> 'text'::text AS text,
    f.body ->> 'by'::text AS author, f.at AS since,
    '1970-01-01 00:00:00+00'::timestamp with time zone + ((f.body ->> 'until_us'::text)::bigint)::double precision * '00:00:00.000001'::interval AS until,
    COALESCE((f.body ->> 'until_us'::text)::bigint, 0::bigint)::numeric <= (EXTRACT(epoch FROM clock_timestamp()) * 1000000::numeric) AS is_over
   FROM tender_ledger.fact f
  WHERE f.kind = 27
UNION ALL
 SELECT NULL::text AS contractor, NULL::text AS principal, NULL::text AS skill, p.task_id,
    COALESCE(h.body ->> 'reason'::text, 'none'::text) AS reason, h.body ->> 'text'::text AS text,
    COALESCE(h.body ->> 'by'::text, 'tenderd'::text) AS author, h.at AS since,
    '1970-01-01 00:00:00+00'::timestamp with time zone + a.until_us::double precision * '00:00:00.000001'::interval AS until,
    a.until_us::numeric <= (EXTRACT(epoch FROM clock_timestamp()) * 1000000::numeric) AS is_over
   FROM tender_ledger.open_part p
     CROSS JOIN LATERAL ( SELECT COALESCE(max(e.number) FILTER (WHERE e.kind = 12), 0) AS released,
            max(e.number) FILTER (WHERE e.kind = 11) AS held
           FROM tender_ledger.entry e
          WHERE e.shard = p.shard AND e.task_id = p.task_id AND (e.kind = ANY (ARRAY[11, 12]))) l
     CROSS JOIN LATERAL ( SELECT e.at, e.body::jsonb AS body
           FROM tender_ledger.entry e
          WHERE e.shard = p.shard AND e.task_id = p.task_id AND e.kind = 11 AND e.number > l.released
          ORDER BY ((e.body::jsonb ->> 'by'::text) IS NULL), e.number DESC
         LIMIT 1) h
     CROSS JOIN LATERAL ( SELECT LEAST((h.body ->> 'until_us'::text)::bigint, (e.body::jsonb ->> 'deadline_at_us'::text)::bigint) AS until_us
           FROM tender_ledger.entry e
          WHERE e.shard = p.shard AND e.task_id = p.task_id AND e.kind = 1
         LIMIT 1) a
  WHERE p.part = 0 AND l.held > l.released AND ((p.state = ANY (ARRAY[1, 5])) OR p.generation IS NOT NULL OR (EXISTS ( SELECT
           FROM tender_ledger.split_part s
          WHERE s.shard = p.shard AND s.task_id = p.task_id)));
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.late_result as
 SELECT ((e.task_id || '/'::text) ||
        CASE
            WHEN e.part > 0 THEN e.part || '.'::text
            ELSE ''::text
        END) || e.generation AS commitment_id,
    e.task_id, e.owner, e.at, e.units, COALESCE(e.size, d.size) AS size,
    COALESCE(e.sha256, encode(d.digest, 'hex'::text)) AS sha256, e.reason, a.units AS adopted_units,
    (a.paid_micro::numeric / 1000000.0)::numeric(20,6) AS adopted_paid
   FROM ( SELECT e_1.shard, e_1.task_id, e_1.number, e_1.at, COALESCE((b.body ->> 'part'::text)::integer, 0) AS part,
            (b.body ->> 'generation'::text)::integer AS generation, b.body ->> 'contractor'::text AS owner,
            COALESCE(b.body ->>
                CASE e_1.kind
                    WHEN 8 THEN 'reported'::text
                    ELSE 'units_done'::text
                END, '0'::text)::bigint AS units,
            COALESCE(b.body ->> 'size'::text, b.body ->> 'content_size'::text)::bigint AS size,
            COALESCE(b.body ->> 'digest'::text, b.body ->> 'content_digest'::text) AS sha256,
            b.body ->> 'reason'::text AS reason, e_1.kind, b.body
           FROM tender_ledger.entry e_1
             CROSS JOIN LATERAL ( SELECT e_1.body::jsonb AS body) b
          WHERE e_1.kind = ANY (ARRAY[8, 10])) e
     LEFT JOIN LATERAL ( SELECT sum(f.units) AS units, sum(f.paid_micro)::bigint AS paid_micro
           FROM tender_ledger.adoption f
          WHERE f.shard = e.shard AND f.task_id = e.task_id AND f.late = e.number
         HAVING count(*) > 0) a ON true
     LEFT JOIN tender_ledger.delivery d ON e.kind = 8 AND d.shard = e.shard AND d.task_id = e.task_id AND d.part = e.part AND d.generation = e.generation
  WHERE e.kind = 10 OR e.body ? 'reported'::text;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.limit_met as
 SELECT l.broker, l.name, l.times, l.last_at, l.consequence
   FROM tender_ledger.limit_met l;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.loss as
 SELECT l.shard, l.reign, b.broker, l.told_batch - l.held_batch AS batches, l.held_batch, l.told_batch, l.seen_at,
    l.peer, l.closed_at, l.closed_by
   FROM tender_ledger.loss l
     LEFT JOIN tender_ledger.reign_begin b ON b.shard = l.shard AND b.reign = l.reign AND b.mark = l.mark;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.overdue as
 SELECT (p.task_id ||
        CASE
            WHEN p.part = 0 THEN '/'::text
            ELSE ('/'::text || p.part) || '.'::text
        END) || p.generation AS commitment_id,
    p.task_id, p.owner, p.principal, t.client AS creditor, p.due_at, clock_timestamp() - p.due_at AS overdue_by, p.units,
    p.units_done, (p.price_micro::numeric / 1000000.0)::numeric(20,6) AS price
   FROM tender_ledger.promise p
     JOIN tender_ledger.task t ON t.shard = p.shard AND t.task_id = p.task_id
  WHERE p.state = 1 AND p.due_at < clock_timestamp();
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.posting as
 SELECT m.movement AS posting_id, m.at, m.task_id, (m.task_id || '/'::text) || m.generation AS commitment_id,
        CASE l.leg
            WHEN 1 THEN m.from_principal
            ELSE m.to_principal
        END AS principal,
        CASE l.leg
            WHEN 1 THEN m.from_bucket
            ELSE m.to_bucket
        END AS bucket,
    (
        CASE l.leg
            WHEN 1 THEN - m.amount_micro
            ELSE m.amount_micro
        END::numeric / 1000000.0)::numeric(20,6) AS amount
   FROM ( SELECT t.task_id || '/reserve'::text AS movement, t.announced_at AS at, t.task_id, NULL::integer AS generation,
            t.principal AS from_principal, 'available'::text AS from_bucket, t.principal AS to_principal,
            'reserved'::text AS to_bucket, t.ceiling_micro AS amount_micro
           FROM tender_ledger.task t
        UNION ALL
         SELECT (((c.task_id || '/pay/'::text) || c.part) || '/'::text) || c.generation, c.ended_at, c.task_id,
            c.generation, t.principal, 'reserved'::text AS text, c.principal, 'earned'::text AS text, c.paid_micro
           FROM tender_ledger.commitment c
             JOIN tender_ledger.task t ON t.shard = c.shard AND t.task_id = c.task_id
          WHERE c.paid_micro > 0
        UNION ALL
         SELECT e.task_id || '/release'::text, e.ended_at, e.task_id, NULL::integer AS int4, t.principal,
            'reserved'::text AS text, t.principal, 'available'::text AS text, e.released_micro
           FROM tender_ledger.task_end e
             JOIN tender_ledger.task t ON t.shard = e.shard AND t.task_id = e.task_id
          WHERE e.released_micro > 0
        UNION ALL
         SELECT (m_1.task_id || '/entry/'::text) || m_1.number, m_1.at,
            NULLIF(m_1.task_id, '00000000-0000-0000-0000-000000000000'::uuid) AS "nullif",
            COALESCE(m_1.generation, a.generation) AS "coalesce", m_1.from_principal, m_1.from_bucket, m_1.to_principal,
            m_1.to_bucket, m_1.amount_micro
           FROM tender_ledger.transfer m_1
             LEFT JOIN tender_ledger.adoption a ON a.shard = m_1.shard AND a.task_id = m_1.task_id AND a.number = m_1.number
        UNION ALL
         SELECT (((((((((((('archive/'::text || p.suffix) || '/'::text) || m_1.from_principal) || '/'::text) || m_1.from_bucket) || '/'::text) || m_1.to_principal) || '/'::text) || m_1.to_bucket) || '/'::text) || m_1.told_by) || '/'::text) || m_1.shard,
            p.retired_at, NULL::uuid AS uuid, NULL::integer AS int4, m_1.from_principal, m_1.from_bucket,
            m_1.to_principal, m_1.to_bucket, m_1.amount_micro
           FROM tender_ledger.archived_money m_1
             JOIN tender_ledger.partition p ON p.from_id = m_1.from_id
          WHERE m_1.told_by = 'transfer'::text OR NOT (EXISTS ( SELECT
                   FROM pg_inherits i
                  WHERE i.inhparent = 'tender_ledger.task'::regclass::oid AND NOT i.inhdetachpending AND i.inhrelid = to_regclass('tender_ledger.task_'::text || p.suffix)::oid))) m
     CROSS JOIN ( VALUES (1), (2)) l(leg)
  WHERE m.amount_micro > 0;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.rate as
 SELECT e.body ->> 'skill'::text AS skill, e.body ->> 'tier'::text AS tier,
    (((e.body ->> 'rate_micro'::text)::bigint)::numeric / 1000000.0)::numeric(20,6) AS rate,
    (COALESCE(e.body ->> 'threshold_micro'::text, '0'::text)::bigint::numeric / 1000000.0)::numeric(20,6) AS threshold,
    (COALESCE(e.body ->> 'share_ppm'::text, '0'::text)::bigint::numeric / 1000000.0)::numeric(7,6) AS share,
    e.body ->> 'by'::text AS set_by, e.at AS set_at
   FROM tender_ledger.fact e
  WHERE e.kind = 25;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.request as
 SELECT i.request, i.kind, i.peer, i.principal, i.body, i.asked_at, i.answer, i.answered_at
   FROM tender_ledger.inbox i
  WHERE tender_ledger.may_speak_for(i.principal) OR pg_has_role(CURRENT_USER, 'tender_auditor'::name, 'member'::text);
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.resource as
 SELECT r.resource, NULLIF(r.contractor, ''::text) AS contractor, r.count, r.held, r.count - r.held AS free,
    COALESCE(( SELECT array_agg((h.task_id ||
                CASE
                    WHEN h.part = 0 THEN '/'::text
                    ELSE ('/'::text || h.part) || '.'::text
                END) || h.generation ORDER BY h.held_at, h.task_id, h.part) AS array_agg
           FROM tender_ledger.resource_hold h
          WHERE h.shard = r.shard AND h.resource = r.resource AND h.contractor = r.contractor), ARRAY[]::text[]) AS holders
   FROM tender_ledger.resource r;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.round as
 SELECT o.task_id, (o.body ->> 'round'::text)::integer AS round, o.body ->> 'head'::text AS head,
    (o.body ->> 'units'::text)::bigint AS units,
    (COALESCE(o.body ->> 'ceiling_micro'::text, '0'::text)::bigint::numeric / 1000000.0)::numeric(20,6) AS ceiling,
    COALESCE((c.body ->> 'invited'::text)::integer,
        CASE
            WHEN c.at IS NOT NULL OR o.kind = 14 THEN 0
            ELSE NULL::integer
        END) AS invited,
        CASE
            WHEN o.kind = 14 THEN o.at
            ELSE '1970-01-01 00:00:00+00'::timestamp with time zone + COALESCE(o.body ->> 'closes_at_us'::text, '0'::text)::bigint::double precision * '00:00:00.000001'::interval
        END AS closes_at,
        CASE
            WHEN o.kind = 14 THEN o.at
            ELSE COALESCE(c.at, n.at)
        END AS closed_at,
        CASE
            WHEN o.kind = 14 THEN 'assigned'::text
            WHEN c.kind = 4 THEN 'awarded'::text
            WHEN c.kind = 5 THEN COALESCE(c.body ->> 'reason'::text, 'none'::text)
            WHEN n.at IS NOT NULL THEN 'round-cancelled'::text
            ELSE NULL::text
        END AS outcome,
    o.at AS opened_at,
        CASE
            WHEN o.kind = 14 THEN '1970-01-01 00:00:00+00'::timestamp with time zone + ((o.body ->> 'due_at_us'::text)::bigint)::double precision * '00:00:00.000001'::interval - o.at
            ELSE ((o.body ->> 'due_us'::text)::bigint)::double precision * '00:00:00.000001'::interval
        END AS due,
    jsonb_array_length(o.body -> 'drawn'::text) AS drawn,
    COALESCE(c.kind = 5 AND (c.body ->> 'reason'::text) = 'improving'::text, false) AS improving,
    (((o.body ->> 'rate_micro'::text)::bigint)::numeric / 1000000.0)::numeric(20,6) AS posted
   FROM ( SELECT e.shard, e.task_id, e.number, e.at, e.kind, e.body::jsonb AS body
           FROM tender_ledger.entry e
          WHERE e.kind = ANY (ARRAY[2, 14])) o
     LEFT JOIN LATERAL ( SELECT e.at, e.kind, e.body::jsonb AS body
           FROM tender_ledger.entry e
          WHERE e.shard = o.shard AND e.task_id = o.task_id AND e.number > o.number AND (e.kind = ANY (ARRAY[4, 5])) AND (e.body::jsonb ->> 'round'::text) = (o.body ->> 'round'::text)
          ORDER BY e.number
         LIMIT 1) c ON true
     LEFT JOIN LATERAL ( SELECT e.at
           FROM tender_ledger.entry e
          WHERE e.shard = o.shard AND e.task_id = o.task_id AND e.number > o.number AND (e.kind = ANY (ARRAY[2, 11, 13]))
          ORDER BY e.number
         LIMIT 1) n ON c.at IS NULL;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.shortcut_cost as
 WITH sample AS (
         SELECT p.skill, p.at, c.principal, (c.price_micro - p.price_micro)::numeric / p.units::numeric AS saved_micro
           FROM tender_ledger.posted p
             CROSS JOIN LATERAL ( SELECT f.principal, f.price_micro
                   FROM ( SELECT k.principal, k.price_micro, k.generation
                           FROM tender_ledger.commitment k
                          WHERE k.shard = p.shard AND k.task_id = p.task_id AND k.round = p.round
                        UNION ALL
                         SELECT o.principal, o.price_micro, o.generation
                           FROM tender_ledger.promise o
                          WHERE o.shard = p.shard AND o.task_id = p.task_id AND o.round = p.round) f
                  ORDER BY f.generation
                 LIMIT 1) c
          WHERE p.is_sample
        ), day AS (
         SELECT p.skill, (p.at AT TIME ZONE 'UTC'::text)::date AS day, count(*) AS assigned, sum(p.units) AS units,
            sum(p.price_micro) AS posted_micro
           FROM tender_ledger.posted p
          WHERE NOT p.is_sample
          GROUP BY p.skill, ((p.at AT TIME ZONE 'UTC'::text)::date)
        ), mean AS (
         SELECT s.skill, (s.at AT TIME ZONE 'UTC'::text)::date AS day, count(*) AS samples,
            avg(s.saved_micro) AS saved_micro, stddev_samp(s.saved_micro) AS deviation_micro
           FROM sample s
          GROUP BY s.skill, ((s.at AT TIME ZONE 'UTC'::text)::date)
        ), without AS (
         SELECT m_1.skill, m_1.day, min(w_1.saved_micro) AS lowest_micro, max(w_1.saved_micro) AS highest_micro
           FROM mean m_1
             CROSS JOIN LATERAL ( SELECT avg(s.saved_micro) AS saved_micro
                   FROM ( SELECT DISTINCT l_1.principal
                           FROM sample l_1
                          WHERE l_1.skill = m_1.skill AND (l_1.at AT TIME ZONE 'UTC'::text)::date = m_1.day) l
                     JOIN sample s ON s.skill = m_1.skill AND (s.at AT TIME ZONE 'UTC'::text)::date = m_1.day AND s.principal <> l.principal
                  GROUP BY l.principal) w_1
          GROUP BY m_1.skill, m_1.day
        )
 SELECT COALESCE(d.skill, m.skill) AS skill, COALESCE(d.day, m.day) AS day, COALESCE(d.assigned, 0::bigint) AS assigned,
    COALESCE(d.units, 0::bigint) AS units, (COALESCE(d.posted_micro, 0::numeric) / 1000000.0)::numeric(20,6) AS posted,
    COALESCE(m.samples, 0::bigint) AS samples, (m.saved_micro / 1000000.0)::numeric(20,6) AS sample_saved_per_unit,
    (m.saved_micro * d.units::numeric / 1000000.0)::numeric(20,6) AS saved,
    (m.deviation_micro / sqrt(m.samples::numeric) * d.units::numeric / 1000000.0)::numeric(20,6) AS saved_error,
    (w.lowest_micro * d.units::numeric / 1000000.0)::numeric(20,6) AS lowest,
    (w.highest_micro * d.units::numeric / 1000000.0)::numeric(20,6) AS highest
   FROM day d
     FULL JOIN mean m ON m.skill = d.skill AND m.day = d.day
     LEFT JOIN without w ON w.skill = m.skill AND w.day = m.day;
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.task as
 SELECT t.task_id, t.client, t.principal, t.skill, t.units, COALESCE(e.units_done, p.units_done) AS units_done,
    (t.ceiling_micro::numeric / 1000000.0)::numeric(20,6) AS ceiling, s.name AS status, r.name AS reason,
    COALESCE(e.round, p.round) AS round, t.key, t.announced_at, e.ended_at,
    (COALESCE(e.paid_micro, p.paid_micro)::numeric / 1000000.0)::numeric(20,6) AS paid,
    (e.released_micro::numeric / 1000000.0)::numeric(20,6) AS released, t.again, ARRAY[t.skill] || n.needs AS skills,
    g.goal
   FROM tender_ledger.task t
     LEFT JOIN tender_ledger.task_end e ON e.shard = t.shard AND e.task_id = t.task_id
     LEFT JOIN tender_ledger.open_part p ON p.shard = t.shard AND p.task_id = t.task_id AND p.part = 0
     LEFT JOIN tender_ledger.task_need n ON n.shard = t.shard AND n.task_id = t.task_id
     LEFT JOIN tender_ledger.task_goal g ON g.shard = t.shard AND g.task_id = t.task_id
     LEFT JOIN tender_ledger.word s ON s.vocabulary = 'task_state'::text AND s.code = COALESCE(e.state::integer,
        CASE p.promise_state
            WHEN 1 THEN 3
            WHEN 2 THEN 4
            ELSE NULL::integer
        END, ( SELECT 3
           FROM tender_ledger.split_part q
          WHERE q.shard = t.shard AND q.task_id = t.task_id
         LIMIT 1), p.state::integer)
     LEFT JOIN tender_ledger.word r ON r.vocabulary = 'reason'::text AND r.code = COALESCE(e.reason, p.reason);
exception when duplicate_table then null; end $do$;
do $do$ begin
create view tender.why_not as
 WITH hold AS MATERIALIZED (
         SELECT e.shard, e.number, e.at, e.body ->> 'contractor'::text AS contractor,
            e.body ->> 'principal'::text AS principal, e.body ->> 'skill'::text AS skill,
            COALESCE(e.body ->> 'reason'::text, 'none'::text) AS reason,
            '1970-01-01 00:00:00+00'::timestamp with time zone + COALESCE(e.body ->> 'until_us'::text, '0'::text)::bigint::double precision * '00:00:00.000001'::interval AS until_at,
            lead(e.at) OVER (PARTITION BY e.shard, (e.body ->> 'contractor'::text), (e.body ->> 'principal'::text), (e.body ->> 'skill'::text) ORDER BY e.number) AS next_at
           FROM ( SELECT f.shard, f.number, f.at, f.body::jsonb AS body
                   FROM tender_ledger.entry f
                  WHERE f.task_id = '00000000-0000-0000-0000-000000000000'::uuid AND f.kind = 27) e
        )
 SELECT w.task_id, w.round, w.contractor, w.principal, w.reason,
        CASE w.reason
            WHEN 'on-hold'::text THEN w.hold_reason
            WHEN 'excluded'::text THEN w.out_reason
            WHEN 'no-slot'::text THEN ((w.held || ' of '::text) || w.slots) || ' slots were taken'::text
            WHEN 'not-covered'::text THEN COALESCE(w.answer_detail, w.lacks)
            ELSE w.answer_detail
        END AS detail,
        CASE
            WHEN w.reason = 'late'::text THEN w.answered_at - w.closes_at
            ELSE NULL::interval
        END AS late_by
   FROM ( SELECT r.task_id, r.round, k.contractor, k.principal, r.closes_at, b.at AS answered_at, k.slots, s.held,
            h.reason AS hold_reason, x.reason AS out_reason, COALESCE(b.text, b.status) AS answer_detail,
            ( SELECT string_agg(n.name, ' '::text) AS string_agg
                   FROM unnest(r.names) n(name)
                  WHERE n.name <> ALL (k.skills)) AS lacks,
                CASE
                    WHEN b.contractor IS NOT NULL THEN b.reason
                    WHEN r.silent ? k.contractor THEN
                    CASE
                        WHEN k.departed_at >= r.opened_at AND k.departed_at <= r.closed_at THEN 'undelivered'::text
                        ELSE 'unanswered'::text
                    END
                    WHEN k.principal = r.principal THEN 'own-task'::text
                    WHEN NOT k.skills @> r.names THEN 'not-covered'::text
                    WHEN x.reason IS NOT NULL THEN 'excluded'::text
                    WHEN h.reason IS NOT NULL THEN 'on-hold'::text
                    WHEN r.drawn IS NOT NULL AND NOT r.drawn ? k.contractor THEN 'not-drawn'::text
                    WHEN k.enrolled_at > r.closed_at OR k.departed_at < r.opened_at THEN 'not-connected'::text
                    WHEN s.held >= k.slots THEN 'no-slot'::text
                    WHEN r.kind = 14 THEN 'another-assigned'::text
                    ELSE 'not-invited'::text
                END AS reason
           FROM ( SELECT o.shard, o.task_id, o.number, o.kind, (o.body ->> 'round'::text)::integer AS round, t.principal,
                    ARRAY[t.skill] || COALESCE(n.needs, '{}'::text[]) AS names, o.body -> 'drawn'::text AS drawn,
                    COALESCE(c.body -> 'silent'::text, '[]'::jsonb) AS silent, o.at AS opened_at,
                    COALESCE(c.at, o.at) AS closed_at, o.body ->> 'contractor'::text AS named,
                        CASE
                            WHEN o.kind = 14 THEN o.at
                            ELSE '1970-01-01 00:00:00+00'::timestamp with time zone + COALESCE(o.body ->> 'closes_at_us'::text, '0'::text)::bigint::double precision * '00:00:00.000001'::interval
                        END AS closes_at
                   FROM ( SELECT e.shard, e.task_id, e.number, e.at, e.kind, e.body::jsonb AS body
                           FROM tender_ledger.entry e
                          WHERE e.kind = ANY (ARRAY[2, 14])) o
                     JOIN tender_ledger.task t ON t.shard = o.shard AND t.task_id = o.task_id
                     LEFT JOIN tender_ledger.task_need n ON n.shard = o.shard AND n.task_id = o.task_id
                     LEFT JOIN LATERAL ( SELECT e.at, e.number, e.body::jsonb AS body
                           FROM tender_ledger.entry e
                          WHERE o.kind = 2 AND e.shard = o.shard AND e.task_id = o.task_id AND e.number > o.number AND (e.kind = ANY (ARRAY[4, 5])) AND (e.body::jsonb ->> 'round'::text) = (o.body ->> 'round'::text)
                          ORDER BY e.number
                         LIMIT 1) c ON true
                  WHERE o.kind = 14 OR (c.body ->> 'reason'::text) IS DISTINCT FROM 'improving'::text AND c.at IS NOT NULL OR (c.body ->> 'reason'::text) = 'improving'::text AND (EXISTS ( SELECT
                           FROM tender_ledger.entry f
                          WHERE f.shard = o.shard AND f.task_id = o.task_id AND f.number > c.number AND ((f.kind = ANY (ARRAY[4, 11, 13])) OR f.kind = 5 AND (f.body::jsonb ->> 'reason'::text) IS DISTINCT FROM 'improving'::text)))) r
             JOIN tender_ledger.contractor k ON k.shard = r.shard
             LEFT JOIN tender.bid b ON b.task_id = r.task_id AND b.round = r.round AND b.contractor = k.contractor
             LEFT JOIN LATERAL ( SELECT COALESCE(e.body::jsonb ->> 'reason'::text, 'none'::text) AS reason
                   FROM tender_ledger.entry e
                  WHERE e.shard = r.shard AND e.task_id = r.task_id AND e.number < r.number AND e.kind = 8 AND e.body::jsonb ? 'excluded'::text AND (e.body::jsonb ->> 'principal'::text) = k.principal
                 LIMIT 1) x ON true
             LEFT JOIN LATERAL ( SELECT h_1.reason
                   FROM hold h_1
                  WHERE h_1.shard = r.shard AND h_1.at <= r.closed_at AND h_1.until_at > r.opened_at AND (h_1.next_at IS NULL OR h_1.next_at > r.opened_at) AND COALESCE(h_1.contractor, k.contractor) = k.contractor AND COALESCE(h_1.principal, k.principal) = k.principal AND COALESCE(h_1.skill, r.names[1]) = r.names[1]
                 LIMIT 1) h ON true
             LEFT JOIN LATERAL ( SELECT count(*) AS held
                   FROM ( SELECT p.awarded_at, NULL::timestamp with time zone AS ended_at
                           FROM tender_ledger.promise p
                          WHERE p.owner = k.contractor
                        UNION ALL
                         SELECT c_1.awarded_at, c_1.ended_at
                           FROM tender_ledger.commitment c_1
                          WHERE c_1.owner = k.contractor) c
                  WHERE b.contractor IS NULL AND k.skills @> r.names AND c.awarded_at <= r.closes_at AND (c.ended_at IS NULL OR c.ended_at > r.closes_at)) s ON true
          WHERE (k.skills && r.names OR b.contractor IS NOT NULL) AND b.status IS DISTINCT FROM 'won'::text AND (r.kind = 2 OR k.contractor <> r.named)) w;
exception when duplicate_table then null; end $do$;
insert into tender_ledger.migration (version, name, checksum) values (0, 'functions and views', 'of then');
insert into tender_ledger.migration (version, name, checksum) values (1, '0001_schemas.sql', '0ac234f17ff69be3cded1a2cfae8c5f1f3f510a9b050ba24c98ed2000fc4d0c4');
insert into tender_ledger.migration (version, name, checksum) values (2, '0002_word.sql', '434901000109359020a0913bc89402d1def7dd31cee6c6b50663a372d1d537a1');
insert into tender_ledger.migration (version, name, checksum) values (3, '0003_entry.sql', '108fd054e9f804f1f989cdb01e68b89a3c14bbf22d3f16d2af5623a43725ed7c');
insert into tender_ledger.migration (version, name, checksum) values (4, '0004_reign.sql', '5e053cdce24a7ba8e3f5ad89f1db4c1b121088ce46efcf9df592d3407beb5c1b');
insert into tender_ledger.migration (version, name, checksum) values (5, '0005_account.sql', '35ceb40b88c0baafcb61b02474ec41bafe27fb24a3bb0a6d9719a6a7b9330404');
insert into tender_ledger.migration (version, name, checksum) values (6, '0006_task.sql', 'f7c6467bfa25c3f76cdbc02b73bf8e304c930e6fbeb2df1c119bf8b06a03c5d7');
insert into tender_ledger.migration (version, name, checksum) values (7, '0007_commitment.sql', 'fe9bf39546f592c2809ec906a86fe33743c95a632f76e99fce776d07be79bb33');
insert into tender_ledger.migration (version, name, checksum) values (8, '0008_roster.sql', 'dd86ba41a43aeed9fd94cd451cf19cbe302a84513d721e409c1a7e83c035fbeb');
insert into tender_ledger.migration (version, name, checksum) values (9, '0009_inbox.sql', '4e7ca4054710fd48751f297f1cd9a77ccb73e0c219326cf5d34d073accfe95e7');
insert into tender_ledger.migration (version, name, checksum) values (10, '0010_more.sql', 'b4a3a604753cc705d4ba9ee607fc6bd1fb634fba8a6744c3cc825ded8453ddca');
insert into tender_ledger.migration (version, name, checksum) values (11, '0011_rate.sql', 'd136bf09e488aa452cf861cbf14f634991965919de297436150293c30870a88a');
insert into tender_ledger.migration (version, name, checksum) values (12, '0012_resource.sql', 'e34bfd8ed657c4b5999830d45cded5e33aba8a74f500755d1de5c4dfbb92bdfd');
insert into tender_ledger.migration (version, name, checksum) values (13, '0013_split.sql', 'dcfb8a9a94925f374964303bca8fe2c5a7d0afafa44a883c1a67f3a4c0d09b08');
insert into tender_ledger.migration (version, name, checksum) values (14, '0014_goal.sql', 'de3dd5fc067d36e589c7bf7fbb26c306aae2a9c3c59e381844132c2966722279');
insert into tender_ledger.migration (version, name, checksum) values (15, '0015_delivery.sql', '9b42b4e80b5330f6dc4af0de61e09673377447831a2a95a1055b519b07607acb');
insert into tender_ledger.migration (version, name, checksum) values (16, '0016_hold.sql', '717df8767c32cbe4c96b0302e57326c2971837b24400ceaf17d7ab8ca3044d2d');
insert into tender_ledger.migration (version, name, checksum) values (17, '0017_measured.sql', 'b05e00bf77a59708858c090b5a7d954534fbaff0f8c8c73aec8ed7c952aaa2fe');
insert into tender_ledger.migration (version, name, checksum) values (18, '0018_lease.sql', '02f63be98fceabc2ba8c816a401a78074fadce62de5decf37504e4b12678c39e');
insert into tender_ledger.migration (version, name, checksum) values (19, '0019_ending.sql', '39622a85827cd7280ea429e5c5a60ca50f244a31cf1de62fdc062e7f0a2ca9cd');
insert into tender_ledger.migration (version, name, checksum) values (20, '0020_loss.sql', '95e15d894c6f7d8cb1b78038a8bf4e747eb779c0cb2bf3ec588cb493df5274c2');
insert into tender_ledger.migration (version, name, checksum) values (21, '0021_limit.sql', '2ab0bf5949e452e878bbfc520f43bde4f43011639bd7db2da1db88d259da0952');
insert into tender_ledger.migration (version, name, checksum) values (22, '0022_partitions.sql', '285d5b5938e69a50a6fc81e3446be303db339be69af87f9aa78fd3af219e9f7c');
