import { h } from 'preact'
import { Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { longDate } from '../../lib/language/format.ts'
import { getOne } from '../../lib/server/api.ts'
import { useRead } from '../../lib/server/read.ts'
import { applied, useSaving } from '../apply.ts'
import { useDraft } from '../draft.ts'
import type { StepOptions } from '../house.ts'
import { stepForm } from './step-form.ts'
import { t } from './texts.ts'

type LeftOutReason = keyof typeof t.value.network.leftOutReasons

export interface Certificate {
  source: 'own' | 'uploaded' | 'files' | 'none'
  names: string[]
  addresses: string[]
  fingerprint: string | null
  endsAt: string | null
  givenNames: string[]
  missingNames: string[]
  urls: string[]
  leftOut: { address: string; interface: string; reason: LeftOutReason }[]
  authority: { fingerprint: string; permittedNames: string[] } | null
}

export const readCertificate = async (signal: AbortSignal): Promise<Certificate> =>
  (await getOne<Certificate>('/api/config/v1/certificate', { signal })).data.attributes

/** The names of the box in the network, and its certificate. */
export function NetworkStep({ house, changed, next }: StepOptions): View {
  const { data, problem, isLoading, readAgain } = useRead('certificate', readCertificate, [
    'system.certificate',
  ])
  const [typed, set, forget] = useDraft('network', {
    names: (house.document.network?.names ?? []).join(', '),
    newAuthority: false,
  })
  const saving = useSaving()
  const save = () =>
    saving.run(
      async () => {
        const names = typed.names.split(/[\s,;]+/).filter((each) => each !== '')
        await applied({ network: { names, ...(typed.newAuthority && { newAuthority: true }) } })
        forget()
      },
      () => {
        readAgain()
        changed()
        next()
      },
    )
  return el.div(
    { class: 'stack' },
    el.p(null, t.value.network.why),
    loadingBar(isLoading && !data),
    problem && failure(problem, readAgain),
    data && certificateFacts(data),
    // Without a network address the box accepts no names.
    data?.source !== 'none' &&
      stepForm(
        { saving, save, fields: [] },
        h(Field, {
          label: t.value.network.names,
          value: typed.names,
          onInput: (names: string) => set({ names }),
          hint: t.value.network.namesHint,
        }),
        saving.problem &&
          el.label(
            { class: 'row' },
            el.input({
              type: 'checkbox',
              checked: typed.newAuthority,
              onChange: ({ currentTarget }) => set({ newAuthority: currentTarget.checked }),
            }),
            t.value.network.newAuthority,
          ),
      ),
    el.p(
      null,
      t.value.network.trust,
      ' ',
      el.a({ href: '/trust', target: '_blank' }, t.value.network.toTrust),
    ),
  )
}

/** What a person needs to know of the certificate that is served. */
export function certificateFacts({
  source,
  urls,
  leftOut,
  endsAt,
  fingerprint,
  authority,
  missingNames,
}: Certificate): View {
  if (source === 'none') return notice('info', t.value.network.none)
  return el.dl(
    { class: 'facts' },
    el.dt(null, t.value.network.certificate),
    el.dd(
      null,
      t.value.network.sources[source],
      endsAt && `, ${t.value.network.until(longDate(endsAt.slice(0, 10)))}`,
    ),
    el.dt(null, t.value.network.reachedAt),
    el.dd(null, urls.length > 0 ? urls.join(', ') : t.value.network.nowhere),
    leftOut.length > 0 && [
      el.dt({ key: 'left out' }, t.value.network.leftOut),
      el.dd(
        { key: 'left out addresses' },
        leftOut
          .map(
            (each) => `${each.address} (${each.interface}): ${t.value.network.leftOutReasons[each.reason]}`,
          )
          .join('; '),
      ),
    ],
    missingNames.length > 0 && [
      el.dt({ key: 'missing' }, t.value.network.missing),
      el.dd({ key: 'missing names' }, missingNames.join(', ')),
    ],
    el.dt(null, t.value.network.fingerprint),
    el.dd(null, el.code(null, authority?.fingerprint ?? fingerprint)),
  )
}
