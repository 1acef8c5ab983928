import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Field, loadingBar, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { failure } from '../../lib/controls/failure.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { useTask } from '../../lib/controls/task.ts'
import { timeText } from '../../lib/language/format.ts'
import { getOne, send, sendOne } from '../../lib/server/api.ts'
import { useRead, useReadEvery } from '../../lib/server/read.ts'
import { confirmed } from '../../lib/server/session.ts'
import { t } from './network-texts.ts'

const path = '/api/config/v1/network'
/** The polling interval while a change is on trial. */
const lookEveryMs = 2_000

interface Network {
  isImage: boolean
  address: string | null
  gateway: string | null
  dns: string[]
  ntp: string[]
  trial: { id: string; endsAt: string } | null
  last: { id: string; result: 'kept' | 'undone' } | null
}

/** The wired network of the box, and the trial of a change. */
export function NetworkPart(): View {
  const { data, problem, isLoading, readAgain } = useRead(
    'network',
    async (signal) => (await getOne<Network>(path, { signal })).data.attributes,
    ['system.network-requested'],
  )
  const [asked, setAsked] = useState<string | null>(null)
  const isOpen = asked !== null || (data?.trial ?? null) !== null
  useReadEvery(lookEveryMs, readAgain, isOpen)
  // The box may have another address now, so an answer at this address may never arrive.
  const isOver = asked !== null && data?.last?.id === asked
  return el.div(
    { class: 'stack' },
    loadingBar(isLoading && !data),
    problem && !asked && failure(problem, readAgain),
    data && !data.isImage && notice('info', t.value.notAnImage),
    isOver && notice(data.last?.result === 'kept' ? 'ok' : 'warning', t.value.results[data.last!.result]),
    data?.trial && h(Trial, { trial: data.trial, address: data.address ?? '', done: readAgain }),
    asked && !data?.trial && !isOver && notice('info', t.value.underWay),
    data?.isImage && !data.trial && h(Change, { network: data, begun: setAsked }),
  )
}

function Trial({
  trial: { id, endsAt },
  address,
  done,
}: {
  trial: NonNullable<Network['trial']>
  address: string
  done: () => void
}): View {
  const task = useTask(done)
  const [own = ''] = address.split('/')
  const isHere = own === '' || address === 'dhcp' || location.hostname === own
  return notice(
    'warning',
    t.value.onTrial(timeText(endsAt)),
    task.refusal && el.p(null, task.refusal),
    isHere
      ? button(t.value.keep, {
          onClick: () =>
            task.run('keep', () => confirmed(() => send('POST', `${path}/trials/${id}/actions/confirm`))),
          kind: 'main',
          ...task.of('keep'),
        })
      : linkTo(own),
  )
}

function linkTo(address: string): View {
  const there = new URL(location.href)
  there.hostname = address
  return el.p(null, t.value.openThere, ' ', el.a({ href: there.href, target: '_blank' }, there.host))
}

function Change({ network, begun }: { network: Network; begun: (id: string) => void }): View {
  const [typed, setTyped] = useState({
    address: network.address ?? 'dhcp',
    gateway: network.gateway ?? '',
    dns: network.dns.join(' '),
  })
  const [wanted, setWanted] = useState<string | null>(null)
  const task = useTask()
  const field = (name: keyof typeof typed, label: string, hint: string) =>
    h(Field, {
      label,
      hint,
      value: typed[name],
      onInput: (value: string) => setTyped({ ...typed, [name]: value }),
      autocomplete: 'off',
      maxLength: 100,
    })
  const change = () =>
    task.run('try', async () => {
      const { address, gateway, dns } = typed
      const servers = dns.split(/[\s,;]+/).filter((each) => each !== '')
      const body = {
        address: address.trim().toLowerCase(),
        ...(gateway.trim() && { gateway: gateway.trim() }),
        ...(servers.length > 0 && { dns: servers }),
        ...(network.ntp.length > 0 && { ntp: network.ntp }),
      }
      const { data } = await confirmed(() =>
        sendOne<{ address: string }>('POST', `${path}/actions/try`, { body }),
      )
      setWanted(data.attributes.address.split('/')[0]!)
      begun(data.id)
    })
  return el.form(
    { class: 'stack', onSubmit: prevented(change) },
    el.p(null, t.value.why),
    field('address', t.value.address, t.value.addressHint),
    field('gateway', t.value.gateway, t.value.gatewayHint),
    field('dns', t.value.dns, t.value.dnsHint),
    task.refusal && notice('error', task.refusal),
    wanted && wanted !== 'dhcp' && linkTo(wanted),
    wanted === 'dhcp' && notice('info', t.value.lookAtScreen),
    button(t.value.change, { onClick: () => {}, type: 'submit', kind: 'main', ...task.of('try') }),
  )
}
