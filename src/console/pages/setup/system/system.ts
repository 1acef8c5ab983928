import { type ComponentType, h } from 'preact'
import { button, chip, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { linked } from '../../lib/controls/linked.ts'
import { goTo, place } from '../../lib/controls/route.ts'
import { tabs } from '../../lib/controls/tabs.ts'
import { useTask } from '../../lib/controls/task.ts'
import { useTitle } from '../../lib/controls/title.ts'
import { checkName } from '../../lib/language/check-texts.ts'
import { momentText } from '../../lib/language/format.ts'
import { getOne, send } from '../../lib/server/api.ts'
import { type Message, textOf } from '../../lib/server/message.ts'
import { useRead } from '../../lib/server/read.ts'
import { confirmed, may } from '../../lib/server/session.ts'
import { Backups } from './backups.ts'
import { CertificatePart } from './certificate.ts'
import { Files } from './files.ts'
import { Log } from './log.ts'
import { NetworkPart } from './network.ts'
import { People } from './people.ts'
import { t } from './texts.ts'
import { UpdatePart } from './update.ts'

const parts = {
  health: Health,
  log: Log,
  backups: Backups,
  update: UpdatePart,
  network: NetworkPart,
  certificate: CertificatePart,
  people: People,
  files: Files,
} as const satisfies Record<string, ComponentType>
type Part = keyof typeof parts
const names = Object.keys(parts) as Part[]

/** The state of the box, and its maintenance. */
export function System(): View {
  const part = names.find((each) => each === place.value.parts[0]) ?? 'health'
  useTitle(t.value.parts[part], t.value.title)
  return el.section(
    { class: 'stack', 'aria-label': t.value.title },
    el.h1(null, t.value.title),
    tabs(
      t.value.title,
      part,
      names.map((each) => [each, t.value.parts[each], null] as const),
      (each) => goTo('system', [each]),
    ),
    h(parts[part], { key: part }),
  )
}

interface Check {
  status: 'pass' | 'warn' | 'fail'
  componentName?: string
  messages: Message[]
  output: string | null
  time: string
}

interface Status {
  releaseId: string
  timeZoneRules: string
  checks: Record<string, Check[]>
}

function Health(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'status',
    async (signal) => (await getOne<Status>('/api/v2/status', { signal })).data.attributes,
    ['system.', 'controller.', 'dispenser.', 'pms.'],
  )
  const task = useTask(readAgain)
  const checks = Object.entries(data?.checks ?? {}).flatMap(([name, all]) =>
    all.map((check) => ({ name, check })),
  )
  const wrong = checks.filter(({ check }) => check.status !== 'pass')
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    task.refusal && notice('error', task.refusal),
    data &&
      el.p(null, el.a({ href: '/handbook/changelog' }, t.value.version(data.releaseId, data.timeZoneRules))),
    data && wrong.length === 0 && notice('ok', t.value.allWell),
    wrong.map(({ name, check }) =>
      notice(
        check.status === 'fail' ? 'error' : 'warning',
        linked(textOf(check.messages) || check.output || checkName(name)),
        el.p({ class: 'quiet' }, `${titleOf(name, check)}, ${momentText(check.time)}`),
        name === 'keys:fenced' &&
          may('backups.restore') &&
          button(t.value.rightBox, {
            onClick: () =>
              task.run('epoch', () => confirmed(() => send('POST', '/api/config/v1/epoch/actions/claim'))),
            kind: 'danger',
            ...task.of('epoch'),
          }),
      ),
    ),
    data && el.p(null, chip('ok', t.value.passed(checks.length - wrong.length))),
  )
}

/** The name of the device and what it is, or the check in words. */
function titleOf(name: string, { componentName }: Check): string {
  return componentName === undefined ? checkName(name) : `${componentName} (${checkName(name)})`
}
