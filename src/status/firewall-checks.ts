import type { FirewallState } from '../host/firewall/state.ts'
import type { Found } from './check.ts'

/** The check of the rules of the firewall; none on a machine without the image of a box. */
export function firewallRules(firewall: FirewallState | null): Found[] {
  if (!firewall) return []
  const componentType = 'system'
  if (!firewall.isOn)
    return [
      { componentType, observedValue: 'off', status: 'pass', messages: [{ code: 'firewall-off' as const }] },
    ]
  const { problem } = firewall
  if (problem === null) return [{ componentType, observedValue: 'loaded', status: 'pass', messages: [] }]
  const messages = [{ code: 'firewall-not-loaded' as const, values: { problem } }]
  return [{ componentType, observedValue: 'not loaded', status: 'warn', messages }]
}

/** The check of what the firewall has refused to the box itself; none while it refuses nothing. */
export function firewallRefused(firewall: FirewallState | null): Found[] {
  if (!firewall?.isOn || firewall.refused.length === 0) return []
  const { refused } = firewall
  return [
    {
      componentType: 'system',
      observedValue: refused.length,
      status: 'warn',
      messages: [{ code: 'firewall-refused', values: { addresses: refused } }],
    },
  ]
}
