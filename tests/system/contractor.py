#!/usr/bin/python3
"""A contractor: bids a fixed cost and eta, takes what it is awarded, reports it done."""
import argparse
from peer import Peer


def serve(peer, cost, eta, text=None):
    """Answers until the broker refuses the session; a cfp that comes again has the same answer."""
    answers = {}
    while peer.refused is None:
        message = peer.next(60)
        if message is None:
            continue
        task, fields = message.conversation, message.fields
        if message.performative == 'cfp':
            known = answers.get((task, fields['round'], fields['digest']))
            if known is None:
                known = answers[task, fields['round'], fields['digest']] = (
                    (
                        'propose',
                        dict(
                            round=fields['round'],
                            digest=fields['digest'],
                            cost_micro=cost,
                            eta_us=eta,
                            text=text,
                        ),
                    )
                    if cost <= fields['ceiling_micro'] and eta <= fields['due_us']
                    else (
                        'refuse',
                        dict(
                            round=fields['round'],
                            reason=43 if cost > fields['ceiling_micro'] else 42,
                        ),
                    )
                )
            peer.send(known[0], task, **known[1])
        elif message.performative == 'accept-proposal':
            award = dict(part=fields['part'], generation=fields['generation'])
            peer.send('acknowledge', task, **award)
            peer.send('inform-done', task, units_done=fields['units'], content=b'done', **award)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--url', required=True)
    parser.add_argument('--name', required=True)
    parser.add_argument('--principal', required=True)
    parser.add_argument('--skill', action='append', required=True)
    parser.add_argument('--cost', type=int, default=0, help='micro-credits')
    parser.add_argument('--eta', type=int, default=1_000_000, help='microseconds')
    parser.add_argument('--slots', type=int, default=1)
    parser.add_argument('--text')
    options = parser.parse_args()
    serve(
        Peer(
            options.url, options.name, options.principal, skills=options.skill, slots=options.slots
        ),
        options.cost,
        options.eta,
        options.text,
    )
