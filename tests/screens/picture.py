"""Draws power against the number of tenders as SVG, with nothing but text."""

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 740, 420, 60, 40, 190, 50
COLOURS = {'honest': '#555555', 'pair': '#1b6ca8', 'ring': '#b5442e', 'rotation': '#7a5195',
           'shill': '#2c7d4f', 'standing-back': '#b8860b'}


def draw(curve, counts, by, power, alarms):
    last = max(tender for tender, shares in curve.items() if len(shares) > 1)
    tenders = sorted(tender for tender in curve if tender <= last)
    first = tenders[0]

    def x(tender):
        return LEFT + (tender - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(share):
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    def text(left, top, words, more=''):
        return '<text x="%.1f" y="%.1f" %s>%s</text>' % (left, top, more, words)

    def line(x1, y1, x2, y2, more):
        return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>' % (x1, y1, x2, y2, more)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
           'font-family="sans-serif" font-size="13">' % (WIDTH, HEIGHT),
           '<rect width="100%" height="100%" fill="white"/>',
           text(LEFT, 24, 'Share of simulated markets that tender.screening flags, by tenders',
                'font-weight="bold"')]
    for share in (0, 0.25, 0.5, 0.75, 1):
        out += [line(LEFT, y(share), WIDTH - RIGHT, y(share), 'stroke="#dddddd"'),
                text(LEFT - 8, y(share) + 4, '%g' % share, 'text-anchor="end"')]
    for tender in tenders:
        out.append(text(x(tender), HEIGHT - BOTTOM + 20, tender, 'text-anchor="middle"'))
    out += [line(LEFT, y(power), WIDTH - RIGHT, y(power),
                 'stroke="#999999" stroke-dasharray="5 4"'),
            line(x(by), TOP, x(by), HEIGHT - BOTTOM, 'stroke="#999999" stroke-dasharray="5 4"'),
            text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, 'tenders', 'text-anchor="middle"')]
    for place, kind in enumerate(counts):
        points = ' '.join('%.1f,%.1f' % (x(tender), y(curve[tender][kind])) for tender in tenders)
        top = TOP + 20 + 24 * place
        out += ['<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>'
                % (points, COLOURS[kind]),
                line(WIDTH - RIGHT + 14, top - 4, WIDTH - RIGHT + 38, top - 4,
                     'stroke="%s" stroke-width="3"' % COLOURS[kind]),
                text(WIDTH - RIGHT + 44, top, '%s (%d)' % (kind, counts[kind]))]
    out += [text(WIDTH - RIGHT + 14, HEIGHT - BOTTOM - 20, 'wanted by tender %d:' % by,
                 'font-size="11"'),
            text(WIDTH - RIGHT + 14, HEIGHT - BOTTOM - 5,
                 '&#8805; %g, honest &#8804; %g' % (power, alarms), 'font-size="11"'), '</svg>']
    return '\n'.join(out) + '\n'
