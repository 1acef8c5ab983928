/** A reader of the handbook, with the pages in the order in which the work needs them. */
export interface ReadingOrder {
  /** The anchor in the index. */
  id: string
  reader: string
  /** The names of the pages. A page may be in several orders. */
  pages: readonly string[]
}

/** The readers of the index. Every page of the handbook is in at least one order. */
export const readingOrders: readonly ReadingOrder[] = [
  { id: 'desk', reader: 'At the front desk', pages: ['desk', 'registration', 'staff', 'kiosk-owner'] },
  {
    id: 'installer',
    reader: 'Installing a box',
    pages: [
      'image',
      'install',
      'set-up',
      'devices',
      'lock-systems',
      'commission',
      'import',
      'import-map',
      'staff',
      'kiosk-owner',
      'backup',
      'recorder',
      'image-unproven',
      'image-build',
      'image-measured',
    ],
  },
  {
    id: 'administrator',
    reader: 'Running a box',
    pages: [
      'operate',
      'registration',
      'staff',
      'backup',
      'recovery',
      'update',
      'synchronise',
      'background-work',
      'metrics',
      'security',
    ],
  },
  {
    id: 'developer',
    reader: 'Developing',
    pages: [
      'start',
      'requests',
      'kiosk',
      'kiosk-guest',
      'kiosk-client',
      'kiosk-failures',
      'front-desk',
      'keys',
      'availability',
      'events',
      'write-a-pms',
      'write-a-pms-messages',
      'many-properties',
      'contribute',
      'modules',
      'add-a-driver',
      'add-an-adapter',
      'decisions',
      'decisions-store',
      'decisions-hotel',
      'measurements',
    ],
  },
]

/** The page that follows another one in an order. */
export interface NextPage {
  reader: string
  name: string
}

/** Returns the pages that follow a page, by the readers in whose order it is not the last. */
export function nextPages(name: string): NextPage[] {
  return readingOrders.flatMap(({ reader, pages }) => {
    const at = pages.indexOf(name)
    const next = at < 0 ? undefined : pages[at + 1]
    return next === undefined ? [] : [{ reader, name: next }]
  })
}
