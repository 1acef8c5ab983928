import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isScope } from '../src/auth/scopes.ts'
import { releasedOn } from '../src/built-at.ts'
import { drivers, lockDrivers } from '../src/composition/drivers.ts'
import { shared } from '../src/console/ui-files.ts'
import { version } from '../src/version.ts'
import { startAppliance, type TestAppliance } from './appliance.ts'
import { tierOf, walks } from './runner/tiers.ts'
import { unboundMethods } from './unbound-methods.ts'

const root = join(import.meta.dirname, '..')
const filesIn = (pattern: string) => globSync(pattern, { cwd: root }).sort()
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** What each module may import, besides itself: a module, or one file of it. The files at the top of `src` and the composition know everyone. */
const mayKnow: Record<string, readonly string[]> = {
  resource: [],
  devices: [],
  recorder: ['resource', 'host', 'jsonapi', 'devices'],
  host: [],
  // Of the devices it knows why a machine in the network cannot be used.
  backup: ['resource', 'host', 'store', 'jsonapi', 'devices/network/line-trouble.ts'],
  // Of the host it knows how a name is made to last, and which files of the data folder are its own.
  store: ['resource', 'host'],
  jsonapi: ['resource'],
  // Of the host it knows which addresses are this machine's.
  auth: ['resource', 'jsonapi', 'host/machine/reachable.ts'],
  openapi: ['resource', 'jsonapi'],
  handbook: ['resource', 'jsonapi', 'openapi'],
  problems: ['resource', 'jsonapi', 'openapi', 'handbook', 'devices'],
  reservation: ['resource', 'host', 'jsonapi'],
  access: ['resource', 'host', 'jsonapi', 'devices', 'recorder', 'reservation'],
  // Of the devices it knows which addresses may be spoken to.
  events: ['resource', 'host', 'jsonapi', 'auth', 'devices'],
  // Of the keys it knows how the fault of a device is answered.
  terminal: ['resource', 'host', 'jsonapi', 'devices', 'reservation', 'access'],
  pms: ['resource', 'host', 'jsonapi', 'devices', 'reservation', 'events'],
  // What is old is of every module; how long it is kept, the store's table says.
  retention: ['resource', 'host', 'store', 'auth', 'reservation', 'access', 'pms'],
  // The pages in a browser know each other, and of the server its rules about money and names; the server sends their files.
  console: ['resource', 'host', 'jsonapi', 'openapi'],
  // Of the devices it knows Node's TLS, of the handbook how a page without scripts is answered.
  certificate: ['resource', 'host', 'jsonapi', 'devices', 'handbook'],
  setup: ['resource', 'host', 'jsonapi', 'auth', 'reservation', 'access', 'terminal', 'pms'],
  clock: ['resource', 'host', 'jsonapi', 'reservation'],
  // Of the devices it knows which are plugged in, of the backups that one is made before.
  update: ['resource', 'host', 'jsonapi', 'devices', 'reservation', 'access', 'backup'],
  // Its routes stream the log as the events are streamed.
  logging: ['resource', 'host', 'store', 'jsonapi', 'devices', 'events', 'recorder', 'config.ts'],
  // A start: the data folder, the first property in it, what follows a restore, and what is served while the data may not be used.
  startup: [
    'resource',
    'auth',
    'host',
    'store',
    'jsonapi',
    'access',
    'pms',
    'reservation',
    'demo',
    'backup',
    'config.ts',
    'composition/api.ts',
    'composition/open-store.ts',
    'listen',
    'composition/drivers.ts',
  ],
  // The far ends: of the wires of drivers, and the systems of other makers.
  simulators: ['resource', 'host', 'jsonapi', 'devices', 'reservation', 'events', 'pms'],
  // What is simulated: the far end of the wires of drivers.
  // Its routes tell the simulated devices to misbehave.
  demo: ['resource', 'host', 'jsonapi', 'devices', 'reservation', 'simulators', 'composition/drivers.ts'],
  status: [
    'resource',
    'host',
    'store',
    'jsonapi',
    'openapi',
    'auth',
    'reservation',
    'access',
    'pms',
    'events',
    'backup',
    'update',
    'retention',
  ],
  // Where the box listens, and with which certificates.
  listen: ['host', 'auth', 'devices', 'certificate', 'config.ts'],
  // What the box says and does around the daemon, also when the daemon cannot.
  box: ['resource', 'host', 'jsonapi', 'version.ts'],
  cli: [
    'resource',
    'host',
    'box',
    'certificate',
    'store',
    'auth',
    'devices',
    'recorder',
    'backup',
    'composition/drivers.ts',
    'composition/wires.ts',
    'composition/appliance.ts',
    'main.ts',
    'listen',
    'version.ts',
    'startup',
    'composition/api.ts',
    'config.ts',
    'composition/locks-of-doors.ts',
    'demo',
    'pms',
    'simulators',
    'update',
  ],
}

/** Through which module, or which file of it, an npm package comes in. */
const entrances: Record<string, readonly string[]> = {
  'better-sqlite3': ['src/store/'],
  koa: ['src/jsonapi/', 'src/auth/'],
  '@koa/router': ['src/jsonapi/server/path-index.ts'],
  '@koa/cors': ['src/jsonapi/server/cross-origin.ts'],
  ajv: [
    'src/jsonapi/schemas/ajv.ts',
    'src/jsonapi/schemas/compiled-schemas.ts',
    'src/jsonapi/schemas/validate.ts',
  ],
  'ajv-formats': ['src/jsonapi/schemas/formats.ts'],
  pino: ['src/host/log.ts'],
  'libphonenumber-js': ['src/reservation/values/phone-number.ts'],
  serialport: ['src/devices/wires/serial-wire.ts'],
  'node-hid': ['src/devices/'],
  mqtt: ['src/pms/', 'src/events/', 'src/simulators/cloudevents/'],
  ws: ['src/pms/adapters/', 'src/simulators/'],
  commander: ['src/cli/'],
  standardwebhooks: ['src/events/', 'src/simulators/cloudevents/'],
  'swagger-ui-dist': ['src/openapi/'],
  marked: ['src/handbook/render.ts'],
  '@peculiar/asn1-schema': ['src/certificate/make-certificate.ts'],
  '@peculiar/asn1-x509': ['src/certificate/make-certificate.ts'],
  tldts: ['src/certificate/own-name.ts'],
  uqr: [
    'src/certificate/trust-page.ts',
    'src/box/screen.ts',
    'src/console/pages/setup/qr-code.ts',
    'src/console/pages/kiosk/call.ts',
  ],
  yaml: ['src/cli/setup/'],
  'image-size': ['src/reservation/resources/kiosk-image.ts'],
  'csv-parse': ['src/reservation/', 'src/cli/', 'src/setup/room-list.ts'],
  entities: ['src/cli/import/html-text.ts'],
  'age-encryption': ['src/backup/'],
  '@scure/base': ['src/backup/sheet/'],
  '@scure/bip39': ['src/backup/sheet/'],
  'modern-tar': ['src/backup/archive/encrypted-archive.ts'],
  aws4fetch: ['src/backup/targets/s3-target.ts'],
  ssh2: ['src/backup/targets/sftp-target.ts'],
  '@serialport/parser-readline': ['drivers/twn4/'],
  preact: ['src/console/pages/'],
  '@preact/signals': ['src/console/pages/'],
  '@preact/signals-core': ['src/console/pages/'],
}

interface Import {
  file: string
  /** A path from the root of the project, or the name of a package. */
  of: string
  /** Gone once the types are stripped. */
  isType: boolean
  /** Loaded when the line is reached, not with its file. */
  isLater: boolean
}

/** Whoever needs the time is given a clock: its type is everyone's, the clock of the machine is not. */
const clock = 'src/host/clock.ts'

function importsOf(file: string): Import[] {
  const text = textOf(file)
  const found = text.matchAll(/(?:(?<!')\bfrom|\bimport\(|^import) ?'([^']+)'/gm)
  return [...found].map(({ 0: way, index, 1: name = '' }) => ({
    file,
    isLater: way.startsWith('import('),
    of: name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
    isType: text.slice(text.lastIndexOf('\nimport ', index) + 1, index).startsWith('import type '),
  }))
}

/** Without comments, which may speak of anything. */
const codeOf = (file: string) => textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?<=\s)\/\/ .*$/gm, '')

const sources = [...filesIn('src/**/*.ts'), ...filesIn('drivers/**/*.ts')]
const imports = sources.flatMap(importsOf)
const local = imports.filter(({ of }) => /^(src|drivers|test|image)\//.test(of))
const foreign = imports.filter((each) => !local.includes(each) && !each.of.startsWith('node:'))

/** `src/store/writer/writer.ts` is in the module `store`; a file at the top is known by its own name. */
const moduleOf = (path: string) => path.split('/')[1] ?? ''
const isInModule = (path: string) => /^src\/[^/]+\//.test(path) && !path.startsWith('src/composition/')

const line = ({ file, of }: Import) => `${file} imports ${of}`
const none: string[] = []

describe('modules', () => {
  it('have a line each in the table', () => {
    const modules = new Set(sources.filter(isInModule).map(moduleOf))
    assert.deepEqual(
      [...modules].filter((module) => !(module in mayKnow)),
      none,
    )
  })

  it('import only what the table allows', () => {
    const forbidden = local.filter(({ file, of, isType }) => {
      if (!isInModule(file)) return false
      const module = moduleOf(file)
      if (isType && of === clock) return false
      // A test of its own says who may know a driver.
      if (of.startsWith('drivers/') && module === 'demo') return false
      if (of.startsWith(`src/${module}/`)) return false
      return ![moduleOf(of), of.replace(/^src\//, '')].some((each) => mayKnow[module]?.includes(each))
    })
    assert.deepEqual(forbidden.map(line), none)
  })

  it('give the pages in a browser the rules about money, names, countries and steps, and nothing else of the server', () => {
    const pages = 'src/console/pages/'
    const [nights, currency, name, country, step] = [
      'charged-nights',
      'values/currency',
      'values/person-name',
      'values/country',
      'values/kiosk-step',
    ].map((rule) => `src/resource/${rule}.ts`)
    const rules = [nights, currency, name, country, step]
    assert.deepEqual(
      shared.map((path) => `src/${path}`).toSorted(),
      rules.toSorted(),
      'what pages from source are given',
    )
    const strange = local.filter(({ file, of }) => file.startsWith(pages) && !of.startsWith(pages))
    assert.deepEqual(strange.map(line).sort(), [
      `${pages}desk/payments/typed-amount.ts imports ${currency}`,
      `${pages}desk/waiting/waiting-guests.ts imports ${step}`,
      `${pages}kiosk/short-name.ts imports ${name}`,
      `${pages}lib/language/country-names.ts imports ${country}`,
      `${pages}lib/language/format.ts imports ${nights}`,
      `${pages}lib/language/format.ts imports ${currency}`,
      `${pages}lib/server/resources.ts imports ${name}`,
      `${pages}lib/server/resources.ts imports ${name}`,
      `${pages}setup/steps/house-step.ts imports ${country}`,
    ])
    assert.deepEqual(imports.filter(({ file }) => rules.includes(file)).map(line), none)
  })

  it('leave the drivers to drivers.ts, and what they imitate to the simulated lobby', () => {
    const users = new Set(
      local
        .filter(({ file, of }) => file.startsWith('src/') && of.startsWith('drivers/'))
        .map(({ file }) => file),
    )
    assert.deepEqual(
      [...users],
      [
        'src/composition/drivers.ts',
        'src/demo/simulated-devices.ts',
        'src/demo/simulated-door.ts',
        'src/demo/simulated-lobby.ts',
      ],
    )
  })

  it('give a driver the devices module, its own folder and the clock as a type, nothing else', () => {
    const forbidden = local.filter(
      ({ file, of, isType }) =>
        file.startsWith('drivers/') &&
        !of.startsWith(driverFolder(file)) &&
        !of.startsWith('src/devices/') &&
        !(/\/simulator\//.test(file) && of.startsWith('src/simulators/devices/')) &&
        !(isType && of === clock),
    )
    assert.deepEqual(forbidden.map(line), none)
  })

  it('let every package of package.json in, and each through its own door', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> }
    assert.deepEqual(Object.keys(dependencies).sort(), Object.keys(entrances).sort())
    const strange = foreign.filter(
      ({ file, of }) => !entrances[packageOf(of)]?.some((door) => file.startsWith(door)),
    )
    assert.deepEqual(strange.map(line), none)
  })
})

describe('a start', () => {
  it('loads no package that only some appliances need, or only later', () => {
    const imported = Map.groupBy(
      imports.filter(({ isType, isLater }) => !isType && !isLater),
      ({ file }) => file,
    )
    const loaded = new Set(['src/cli/run.ts', 'src/cli/serve.ts', 'src/writer.ts'])
    for (const file of loaded) for (const { of } of imported.get(file) ?? []) loaded.add(of)
    const packages = foreign.filter(({ of }) => loaded.has(of)).map(({ of }) => packageOf(of))
    // Of image-size three files, 12 kB together: a rule of the writer cannot wait for them.
    const ofEveryStart =
      '@koa/cors @koa/router @serialport/parser-readline better-sqlite3 commander image-size koa pino standardwebhooks'
    assert.deepEqual([...new Set(packages)].sort(), ofEveryStart.split(' '))
  })
})

/**
 * Where files may import each other in a circle. A resource has rules, a rule is given the transaction, and the methods
 * of the transaction take resources: these types describe each other.
 */
const mayHaveCircles = ['src/resource/command.ts', 'src/resource/resource.ts', 'src/pms/sync/']

/**
 * The folders of modules, in the order in which they build upon each other: a file imports from its own folder, and from those
 * before it. Who reads them in this order has met all that a file mentions. The files beside the folders open the module.
 */
const foldersInOrder: Record<string, readonly string[]> = {
  access: [
    'resources',
    // The open devices.
    'handles',
    // What a key is and may become, what is asked for, and what the doors say to it.
    ...['keys/life', 'keys/orders', 'keys/doors', 'keys/stay', 'keys'],
    'providers',
    ...['pins', 'dispensers', 'cards', 'keys/issuing'],
    ...['key-services', 'dispensers/routes', 'keys/pending', 'keys/routes'],
    ...['controllers', 'controllers/connected'],
  ],
  reservation: [
    // What a value is, and the rules that need no store.
    ...['values', 'stays/rules', 'pricing'],
    'resources',
    ...['hand-over', 'profiles', 'registration', 'units', 'availability', 'stays'],
    ...['search', 'reservations', 'property', 'payments', 'assignment'],
  ],
  auth: ['secrets', 'resources', 'sessions', 'rights', 'tokens', 'limits', 'accounts', 'sign-in'],
  backup: ['rotation', 'archive', 'targets', 'keys', 'restore', 'sheet'],
  devices: ['bay', 'network', 'hid', 'wires', 'driving'],
  events: ['resources', 'webhooks'],
  host: ['files', 'machine', 'firewall'],
  jsonapi: ['server', 'schemas', 'query', 'locales'],
  store: ['rows', 'query', 'disk', 'writer', 'scan'],
  // What is said in a language, what the server says, and what a person sees of it.
  'console/pages/lib': ['language', 'server', 'controls'],
  'console/pages/desk': [
    // How cards are made, and what every screen says of a stay.
    ...['cards', 'stay'],
    // The parts of a stay.
    ...['history', 'conflicts', 'payments', 'registrations', 'papers', 'group', 'still-in-house'],
    // The screens.
    ...[
      'activity',
      'devices',
      'lobby',
      'search',
      'older-keys',
      'person',
      'waiting',
      'walk-in',
      'rack',
      'rooms',
    ],
    ...['guest', 'today'],
  ],
  // The screens of a guest, after what they show.
  'console/pages/kiosk': ['keyboard', 'receipt', 'registration', 'check-out', 'cards', 'screens'],
  // The steps until a house is set up, and then what is looked after.
  'console/pages/setup': ['restore', 'recovery', 'registration', 'steps', 'steps/devices', 'system'],
}

/** Their declarations say what a change of a unit does to the rooms that can be sold. */
const mayImportAhead = ['src/reservation/resources/unit.ts', 'src/reservation/resources/unit-type.ts']

describe('functions', () => {
  it('that are exported say what they promise', () => {
    const silent = sources
      .filter((file) => !file.endsWith('.d.ts'))
      .flatMap((file) => {
        const lines = textOf(file).split('\n')
        return lines.flatMap((line, at) => {
          const [, name] = /^export (?:default )?(?:async )?(?:function\*?|class) (\w+)/.exec(line) ?? []
          // What follows the first signature of an overloaded function.
          const isNext = name !== undefined && lines[at - 1]?.startsWith(`export function ${name}(`)
          return name && !isNext && !lines[at - 1]?.endsWith('*/') ? [`${file}: ${name}`] : []
        })
      })
    assert.deepEqual(silent, none)
  })
})

describe('methods', () => {
  it('are not passed on without their object', () => {
    const ofServer = sources.filter(
      (file) => !file.startsWith('src/console/pages/') && !file.endsWith('.d.ts'),
    )
    const { found, inPlanted } = unboundMethods(root, ofServer)
    assert.deepEqual(inPlanted, [7, 11, 12, 14, 16])
    assert.deepEqual(found, none)
  })
})

describe('folders in order', () => {
  for (const [module, folders] of Object.entries(foldersInOrder))
    it(`of ${module} import from themselves, and from those before them`, () => {
      const within = `src/${module}/`
      // Texts stand below what they are for. What a page loads later is in a script of its own, which holds parts of several folders.
      const place = (file: string) =>
        folders.indexOf(dirname(file.slice(within.length)).replace(/\/([a-z]+-)?texts$/, ''))
      const isPage = module.startsWith('console/')
      const inside = local.filter(
        ({ file, of, isLater }) =>
          [file, of].every((each) => each.startsWith(within)) && !(isPage && isLater),
      )
      const isInFolder = (file: string) => file.slice(within.length).includes('/')
      assert.deepEqual(
        inside
          .filter(({ file, of }) => isInFolder(file) && isInFolder(of) && !mayImportAhead.includes(file))
          .filter(({ file, of }) => place(file) < 0 || place(of) < 0 || place(of) > place(file))
          .map(line),
        none,
      )
    })
})

describe('files', () => {
  it('import nothing that imports them, be it a type', () => {
    const imported = Map.groupBy(local, ({ file }) => file)
    const judged = sources.filter(
      (file) => isInModule(file) && !mayHaveCircles.some((folder) => file.startsWith(folder)),
    )
    const circles = judged.flatMap((file) => circleOf(file, imported) ?? [])
    assert.deepEqual(circles, none)
  })
})

/** The shortest way of imports from a file back to itself; null where there is none. */
function circleOf(start: string, imported: Map<string, Import[]>): string | null {
  const ways = new Map([[start, start]])
  for (const [file, way] of ways)
    for (const { of } of imported.get(file) ?? []) {
      if (of === start) return `${way} > ${start}`
      if (!ways.has(of)) ways.set(of, `${way} > ${of}`)
    }
  return null
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** `drivers/k720/simulator/mechanics.ts` is of the driver in `drivers/k720/`. */
function driverFolder(file: string): string {
  return /^drivers\/[^/]+\//.exec(file)?.[0] ?? ''
}

/** The module of every table that a resource declares, for itself or for its lists. */
const ownerOf = new Map(
  sources.flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:resource|parts|references)\(\s*'([a-z][a-z_-]+)'/g)].map(
      ([, name = '']) => [name.replaceAll('-', '_'), moduleOf(file)] as const,
    ),
  ),
)

/** They ask for one value of a house, of which they know nothing else. */
const single: Record<string, string> = {
  'src/backup/on-disk.ts': 'settings',
  'src/events/journal-purge.ts': 'settings',
  'src/store/disk/copy.ts': 'property',
}

/** The files with a transaction that catch errors: what follows in the transaction must find none of the writes that were refused. */
const catchesInCommands = {
  'src/access/keys/doors/door-guard.ts': 'only reads',
  'src/access/keys/kiosk-keys.ts': 'only reads, outside a command',
  'src/auth/rights/rights-after-restore.ts': 'of a part',
  'src/pms/sync/inbound/apply.ts': 'of a part',
  'src/pms/sync/inbound/fast-forward.ts': 'of a part',
  'src/pms/sync/inbound/keep-guests.ts': 'of one row, which is refused before it is written',
  'src/reservation/availability/availability-events.ts': 'of the writer',
  'src/reservation/property/change-settings.ts': 'throws in any case',
  'src/reservation/values/value-problems.ts': 'throws in any case',
  'src/resource/slice.ts': 'of a part',
}

describe('commands', () => {
  it('go on after a refusal only by `attempt` or after a part, which leave nothing of it', () => {
    const catching = sources.filter((file) => {
      const text = textOf(file)
      return (
        !file.startsWith('src/store/') &&
        /\bTransaction\b.*\/command\.ts'/.test(text) &&
        /\} catch\b/.test(text)
      )
    })
    assert.deepEqual(catching, Object.keys(catchesInCommands))
  })
})

describe('SQL', () => {
  it('names only tables of modules that its own module may import', () => {
    assert.equal(ownerOf.get('stay_unit'), 'reservation')
    assert.equal(ownerOf.get('key'), 'access')
    assert.equal(ownerOf.get('sync_link'), 'pms')
    const forbidden = sources.filter(isInModule).flatMap((file) => {
      const module = moduleOf(file)
      const named = [...codeOf(file).matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)/g)]
      return named
        .map(([, table = '']) => ({ table, owner: ownerOf.get(table) ?? module }))
        .filter(
          ({ table, owner }) =>
            owner !== module && !mayKnow[module]?.includes(owner) && single[file] !== table,
        )
        .map(({ table }) => `${file} names the table ${table}`)
    })
    assert.deepEqual(forbidden, none)
  })
})

describe('names', () => {
  it('at the top are those of the sources, and of what a run makes', () => {
    const sources = 'package.json tsconfig.json src drivers systemd image test README.md LICENSE CHANGELOG.md'
    const tools = 'package-lock.json biome.json .ci .editorconfig .git .gitignore .node-version .npmrc'
    // Git ignores these.
    const made = 'node_modules dist data'
    const known = new Set([sources, tools, made].flatMap((names) => names.split(' ')))
    assert.deepEqual(
      readdirSync(root).filter((name) => !known.has(name) && !name.endsWith('.log')),
      none,
    )
  })

  it('say what a file gives', () => {
    const empty = /(^|\/)(index|utils?|helpers?|common|misc|types)(\.test)?(\.ts)?($|\/)/
    const all = ['src', 'drivers', 'test', 'image'].flatMap((folder) => filesIn(`${folder}/**/*.ts`))
    assert.deepEqual(
      all.filter((file) => empty.test(file)),
      none,
    )
  })

  it('of models stand in their own folders, and where the build and the sample choose among them', () => {
    const choosing = [
      'src/composition/adapters.ts',
      'src/composition/drivers.ts',
      'src/demo/simulated-door.ts',
      'src/demo/simulated-devices.ts',
      'src/demo/simulated-lobby.ts',
      'src/demo/sample-property.ts',
    ]
    const models = new Set([
      ...globSync('*', { cwd: join(root, 'drivers') }),
      ...drivers.flatMap(({ name, models }) => [name, ...models]),
      ...lockDrivers.map(({ name }) => name),
    ])
    const named = new RegExp(`\\b(${[...models].map((model) => RegExp.escape(model)).join('|')})\\b`, 'i')
    const isProgram = (file: string) => /\.\w+$/.test(file) && !/^src\/handbook\/.*\.md$/.test(file)
    const naming = filesIn('src/**/*').filter((file) => isProgram(file) && named.test(textOf(file)))
    assert.deepEqual(
      naming.filter((file) => !choosing.includes(file) && !models.has(folderOf(file))),
      none,
    )
  })
})

/** `src/pms/adapters/standalone/sync.ts` is in the adapter's folder `standalone`. */
function folderOf(file: string): string {
  return /^src\/pms\/adapters\/([^/]+)\//.exec(file)?.[1] ?? ''
}

describe('the version', () => {
  it('is the same in the program, in package.json and at the top of the changelog', () => {
    const { version: packaged } = JSON.parse(textOf('package.json')) as { version: string }
    const [, newest] = /^## \[(\d[^\]]*)\]/m.exec(textOf('CHANGELOG.md')) ?? []
    assert.deepEqual([packaged, newest], [version, version])
  })

  it('has the day of the newest release for a build date', () => {
    const [, day] = /^## \[\d[^\]]*\] - (\d{4}-\d\d-\d\d)/m.exec(textOf('CHANGELOG.md')) ?? []
    assert.equal(releasedOn, day)
  })
})

/** Where time comes from, besides the clock. */
const clockSources: [name: string, pattern: RegExp][] = [
  ['setTimeout', /(?<![\w.]|globalThis\.)setTimeout\b|\bglobalThis\.setTimeout\b/],
  ['setInterval', /(?<![\w.])setInterval\b/],
  ['node:timers', /'(node:)?timers(\/promises)?'/],
  ['AbortSignal.timeout', /\bAbortSignal\.timeout\b/],
  ['Date.now', /\bDate\.now\b/],
  ['new Date()', /\bnew Date\(\s*\)|\bnew Date\b(?!\()/],
  ['performance.now', /\bperformance\b\s*\??\.?\s*\bnow\b|\bnode:perf_hooks\b/],
  ['process.hrtime', /\bhrtime\b/],
  ['Temporal.Now', /\bTemporal\.Now\.(?!timeZoneId\b)/],
]

describe('folders', () => {
  it('are made by makeFolders: mkdir with `recursive` never ends where the kernel makes none, as below /proc', () => {
    const found = sources.filter((file) =>
      /\bmkdir(Sync)?\((?:[^()]|\([^()]*\))*\brecursive/.test(codeOf(file)),
    )
    assert.deepEqual(found, [])
  })
})

describe('time', () => {
  it('comes from one clock: nobody else starts a timer or reads a clock', () => {
    const clocks = [clock, 'src/host/virtual-clock.ts']
    // The pages run in a browser, whose clock a test sets there.
    const users = sources.filter((file) => !clocks.includes(file) && !file.startsWith('src/console/pages/'))
    const found = users.flatMap((file) => {
      const code = codeOf(file)
      return clockSources.filter(([, pattern]) => pattern.test(code)).map(([name]) => `${file} uses ${name}`)
    })
    assert.deepEqual(found, none)
  })
})

describe('the tests of the gate', () => {
  /** What a file uses all the same, and why nothing is decided by it. */
  const excepted: Record<string, [uses: string, why: string]> = {
    'test/certificate/certificates.test.ts': [
      'processes',
      'openssl judges certificates, and is given the time',
    ],
    'test/console/browser.ts': ['Date.now', 'sets the clock of the browser to that of the box'],
    'test/console/kiosk-house.ts': ['setTimeout', 'the page waits less long between two looks'],
    'test/eventually.ts': [
      'performance.now',
      'the limit of a test that would otherwise hang, see patience.ts',
    ],
    'test/pms/adapters/cloudevents/certificates.ts': ['processes', 'openssl makes certificates'],
    'test/programs.ts': ['processes', 'asks whether a program is installed'],
    'test/recorder/deferred-work.test.ts': ['setTimeout', 'a timer that never runs keeps the process alive'],
    'test/seed.ts': ['fast-check without the seed', 'gives it the seed'],
    'test/test-clock.ts': [
      'setTimeout, setInterval, performance.now, pauses of node:timers, systemClock, settableClock',
      'sees when the process is idle, and has the clock of the tests that take the time of the machine',
    ],
    'test/work/counted.ts': [
      'processes',
      'a house in virtual time, alone in a process whose work is counted',
    ],
  }
  const real: [name: string, pattern: RegExp][] = [
    // Immediates take no time.
    ...clockSources.filter(([name]) => name !== 'node:timers'),
    ['pauses of node:timers', /import \{[^}]*\bset(Timeout|Interval)\b[^}]*\} from 'node:timers\/promises'/],
    ['systemClock', /\bsystemClock\b/],
    // Its timers are those of the machine.
    ['settableClock', /\bsettableClock\b/],
    // A run of tests has a limit of its own, which is the same for all of them.
    ['a limit for a test', /\{\s*timeout: [\d_]+,?\s*\}, (async )?\(/],
    ['processes', /'node:child_process'/],
    ['chance', /\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill|FillSync)\b|\bgetRandomValues\b/],
    ['fast-check without the seed', /'fast-check'/],
  ]
  const isGate = (file: string) => tierOf(file) === 'gate' && !walks.includes(file)
  const gate = filesIn('test/**/*.test.ts').filter(isGate)

  it('have walks that are there', () => {
    const files = filesIn('test/**/*.test.ts').filter((file) => tierOf(file) === 'gate')
    assert.deepEqual(
      walks.filter((file) => !files.includes(file)),
      none,
    )
  })

  it('take no time from the machine, leave nothing to chance and start no process, nor do their helpers', () => {
    const found = withHelpers(gate).flatMap((file) => {
      const code = codeOf(file)
      const uses = real.filter(([, pattern]) => pattern.test(code)).map(([name]) => name)
      return uses.length > 0 ? [`${file} uses ${uses.join(', ')}`] : []
    })
    assert.deepEqual(
      found.sort(),
      Object.entries(excepted)
        .map(([file, [uses]]) => `${file} uses ${uses}`)
        .sort(),
    )
  })
})

/** These files, and what they import of the tests; without what runs them, and without this file, which names what it looks for. */
function withHelpers(files: readonly string[]): string[] {
  const all = new Set(files)
  for (const file of all)
    for (const { of } of importsOf(file))
      if (of.startsWith('test/') && !of.startsWith('test/runner/')) all.add(of)
  all.delete('test/architecture.test.ts')
  return [...all]
}

describe('routes', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const open = [
    'GET /healthz',
    'GET /readyz',
    'GET /openapi.json',
    'GET /asyncapi.json',
    'GET /pms-openapi.json',
    'GET /',
    'GET /handbook',
    'GET /handbook/:page',
    'GET /handbook/pictures/:file',
    'GET /docs',
    'GET /docs/:file',
    'GET /ca.crt',
    'GET /ca.pem',
    'GET /trust',
    'GET /.well-known/security.txt',
    'GET /problems',
    'GET /problems/:code',
    'POST /api/config/v1/pairing',
    // The pairing code begins it, and then its secret id lets in.
    'POST /api/config/v1/restores/actions/begin-on-new-box',
    'POST /api/config/v1/restores/actions/list-on-new-box',
    'GET /api/config/v1/restores/:id',
    'PATCH /api/config/v1/restores/:id/content',
    'POST /api/config/v1/restores/:id/actions/open',
    'POST /api/config/v1/restores/:id/actions/apply',
    'DELETE /api/config/v1/restores/:id',
    // Each looks at the cookies of the browser itself.
    'GET /api/v2/session',
    'POST /api/v2/session',
    'DELETE /api/v2/session',
    'GET /api/v2/session/people',
    ...[
      'switch',
      'lock',
      'unlock',
      'reauthenticate',
      'enrol-station',
      'start-kiosk',
      'redeem-code',
      'change-secrets',
      'claim',
      'start-demo',
    ].map((action) => `POST /api/v2/session/actions/${action}`),
    // Signed by the PMS instead.
    'POST /api/v2/pms/providers/:configurationId/callback',
    'GET /desk',
    'GET /kiosk',
    'GET /setup',
    'GET /doors',
    'GET /kiosk-images/:file',
    'GET /ui/:file',
    'GET /ui/:folder/:file',
    'GET /ui/:folder/:inner/:file',
    'GET /ui/:folder/:inner/:innermost/:file',
  ]

  it('ask for a scope there is, but for the few that the world may ask', () => {
    const routes = house.appliance.interfaces.flatMap((each) => each.routes)
    assert.ok(routes.length > 80)
    const unguarded = routes.filter(({ scope }) => scope === null || !isScope(scope))
    assert.deepEqual(
      unguarded
        .map(({ method, base, path }) => `${method} ${base}/${path}`)
        .filter((route) => !open.includes(route)),
      none,
    )
  })
})
