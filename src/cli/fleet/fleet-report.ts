import type { FleetBox } from '../../pms/adapters/cloudevents/mqtt/fleet.ts'

/** Names of properties by their ids. */
export type Names = Readonly<Record<string, string>>

const columns = [
  'property',
  'state',
  'version',
  'health',
  'devices',
  'backup verified',
  'update',
  'clock',
  'epoch',
  'not well',
] as const

/** Whether a person should look at a box: it is offline, or a check fails. */
export function isBad({ state }: FleetBox): boolean {
  return state.state !== 'online' || state.health?.status === 'fail'
}

/** Returns the boxes as a table of text, one a line. */
export function fleetTable(boxes: readonly FleetBox[], names: Names): string {
  const rows = [columns.map((each) => each.toUpperCase()), ...boxes.map((box) => cellsOf(box, names))]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Returns the boxes as a page without scripts. `now` is when they were read, ISO 8601. */
export function fleetPage(boxes: readonly FleetBox[], names: Names, now: string): string {
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')
  const rows = boxes.map(
    (box) =>
      `<tr class="${isBad(box) ? 'bad' : (box.state.health?.status ?? '')}">${cells(cellsOf(box, names), 'td')}</tr>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta http-equiv="refresh" content="60">
<title>Fleet - nightporter</title>
<style>body { font: 1em/1.5 system-ui, sans-serif; margin: 2em } table { border-collapse: collapse }
th, td { text-align: left; padding: .3em .8em; border-bottom: 1px solid #8888 }
.bad td:first-child { border-left: .4em solid #c00 } .warn td:first-child { border-left: .4em solid #c80 }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>
<h1>Fleet</h1>
<p>${boxes.length} boxes, ${boxes.filter(isBad).length} of them offline or failing. Read at ${escaped(now)}.</p>
<table>
<thead><tr>${cells(columns, 'th')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</html>
`
}

/** The cells of a box, in the order of `columns`. What comes from the broker has no control characters here. */
function cellsOf({ propertyId, state }: FleetBox, names: Names): string[] {
  const { devices, update, health, clock } = state
  const last = update?.last
  const updated = [update?.step, last && `${last.result} ${last.version ?? ''}`, update?.available]
  return [
    names[propertyId] ?? propertyId,
    state.state,
    [state.version, state.slot].filter(Boolean).join(' '),
    health?.status,
    devices && `${devices.pass} well, ${devices.warn + devices.fail} not`,
    String(state.backupVerifiedAt ?? '')
      .slice(0, 16)
      .replace('T', ' '),
    updated.filter(Boolean).join(', '),
    clock?.judgement,
    state.epoch,
    [health?.failing ?? []].flat().join(' '),
  ].map((cell) => shown(cell))
}

function shown(cell: unknown): string {
  const text = String(cell ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return text === '' ? '-' : text.slice(0, 120)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
