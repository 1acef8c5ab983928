// The drawings of the kiosk. They say nothing that the words beside them do not say, so they are loaded after the first screen. They
// are given the maker of elements for the reason that `call.ts` is.

/** Where something is, as seen from the screen. */
export type Place = 'left' | 'right' | 'below'

type Make<Picture> = (tag: string, attributes: object, ...children: Picture[]) => Picture

/** Where the screen and the machine beside it are drawn. */
const places: Record<Place, { viewBox: string; screen: object; machine: string }> = {
  below: {
    viewBox: '92 0 216 310',
    screen: { x: 120, y: 6, width: 160, height: 112 },
    machine: 'translate(100 146)',
  },
  left: {
    viewBox: '0 44 400 212',
    screen: { x: 232, y: 50, width: 160, height: 200 },
    machine: 'translate(6 84)',
  },
  right: {
    viewBox: '0 44 400 212',
    screen: { x: 8, y: 50, width: 160, height: 200 },
    machine: 'translate(194 84)',
  },
}

const atBottomRight = { preserveAspectRatio: 'xMaxYMax meet' }

/** The parts of the house in the evening: their names for the style sheet, and their outlines. */
const houseParts = [
  ['hill', 'M-600 700C-200 520 200 560 560 680S900 560 1080 640S1500 700 1700 600V1000H-600z'],
  ['ground', 'M-600 800C100 690 980 690 1700 800V1000H-600z'],
  [
    'tree',
    'M96 770c-54-80-40-230 14-320 54 90 68 240 14 320zM960 770c-54-80-40-230 14-320 54 90 68 240 14 320z',
  ],
  ['wall', 'M210 470h660v290H210zM300 380h44v90h-44zM736 380h44v90h-44z'],
  ['shade', 'M730 470h140v290H730z'],
  ['roof', 'M180 470l64-96h592l64 96z'],
  ['lit', windows(false)],
  ['dim', windows(true)],
  ['walk', 'M480 760h120l190 240H290z'],
  ['porch', 'M462 760v-70a78 78 0 0 1 156 0v70z'],
  ['lit', 'M490 760v-66a50 50 0 0 1 100 0v66z'],
  [
    'tree',
    'M220 762a44 34 0 0 1 88 0zM300 762a34 26 0 0 1 68 0zM720 762a34 26 0 0 1 68 0zM776 762a44 34 0 0 1 88 0z',
  ],
] as const

/** Returns the pictures, each hidden from screen readers. The style sheet gives them their colours. */
export function drawings<Picture>(h: Make<Picture>) {
  const rect = (name: string, x: number, y: number, width: number, height: number, rx = 6) =>
    h('rect', { class: name, x, y, width, height, rx })
  const path = (name: string, d: string) => h('path', { class: name, d })
  const picture = (name: string, viewBox: string, ...parts: Picture[]) =>
    h('svg', { class: `drawing ${name}`, viewBox, 'aria-hidden': true }, ...parts)

  /** A machine beside the screen. */
  const beside = (name: string, place: Place, ...machine: Picture[]) => {
    const { viewBox, screen, machine: transform } = places[place]
    const shown = h('rect', { class: 'screen', rx: 12, ...screen })
    return picture(name, viewBox, shown, h('g', { transform }, ...machine))
  }

  return {
    /** The card that comes out of the slot of the dispenser, or that the guest puts in. */
    slotPicture: (place: Place, isIn = false) =>
      beside(
        isIn ? 'slot in' : 'slot',
        place,
        rect('machine', 0, 0, 200, 46, 12),
        rect('light', 18, 12, 164, 6, 3),
        h(
          'svg',
          { x: 20, y: 26, width: 160, height: 128 },
          h('g', { class: 'card' }, rect('paper', 12, -14, 136, 104, 10), rect('stripe', 12, 42, 136, 20, 0)),
        ),
        path('arrow', isIn ? 'M84 150l16-14 16 14' : 'M84 136l16 14 16-14'),
      ),

    /** The payment terminal, with the card that the guest inserts or holds. */
    terminalPicture: (place: Place) =>
      beside(
        'terminal',
        place,
        rect('machine', 40, -30, 120, 168, 16),
        rect('light', 54, -16, 92, 46, 6),
        path('keys', 'M62 52h16M92 52h16M122 52h16M62 74h16M92 74h16M122 74h16M62 96h16M92 96h16M122 96h16'),
        h('g', { class: 'card' }, rect('paper', 58, 116, 84, 50, 8), rect('stripe', 58, 146, 84, 9, 0)),
      ),

    /** A hotel in the evening, where the house has no picture of its own. */
    housePicture: () =>
      h(
        'svg',
        { class: 'drawing house', viewBox: '0 0 1080 1000', 'aria-hidden': true, ...atBottomRight },
        h('circle', { class: 'moon', cx: 936, cy: 330, r: 42 }),
        ...houseParts.map(([name, d]) => path(name, d)),
      ),

    /** A bell of a front desk: a person helps. */
    bellPicture: () =>
      picture(
        'bell',
        '0 0 400 300',
        path('light', 'M200 36v30M120 60l20 24M280 60l-20 24'),
        h('circle', { class: 'metal', cx: 200, cy: 100, r: 14 }),
        path('metal', 'M80 236a120 120 0 0 1 240 0z'),
        path('shine', 'M112 214a88 88 0 0 1 50-70'),
        rect('machine', 60, 236, 280, 24, 10),
      ),
  }
}

/** The windows of the house: three floors of eight, of which some are dark, and three in the roof. */
function windows(isDark: boolean): string {
  const floors = [500, 586, 672].flatMap((y, floor) =>
    [246, 328, 410, 492, 574, 656, 748, 824].map((x, index) => ({
      x,
      y,
      isDark: (floor * 8 + index) % 7 === 5,
    })),
  )
  const shown = floors.filter(
    (each) => each.isDark === isDark && !(each.y === 672 && [492, 574].includes(each.x)),
  )
  return shown.map(({ x, y }) => `M${x} ${y + 50}v-36a13 13 0 0 1 26 0v36z`).join('')
}
