import { Readable } from 'node:stream'
import { expectNoParameters } from '../jsonapi/query/query.ts'
import type { Route } from '../jsonapi/route.ts'
import { Problem } from '../resource/problem.ts'
import type { Recorder } from './recorder.ts'

const type = 'application/jsonl'

/** Returns the route to download the recording. `recorder` is null when the property records nothing. */
export function recorderRoutes(recorder: Recorder | null): Route[] {
  return [
    {
      method: 'GET',
      path: 'flight-recorder',
      base: '/api/config/v1',
      scope: 'diagnostics.recordings',
      description: {
        id: 'readFlightRecorder',
        summary: 'Download what passed between the appliance and its devices',
        notes:
          'One JSON object for each line, the oldest first. Card keys, PINs, passwords and the contents of cards are recorded as zeros, and serial numbers of cards are replaced. `nightporter replay` reads this file.',
        answers: { 200: { schema: { type: 'string' }, type } },
        problems: ['unknown-parameter', 'not-found'],
      },
      handle: ({ query }) => {
        expectNoParameters(query)
        if (!recorder) throw new Problem('not-found', 'This appliance keeps no recording.')
        return { status: 200, stream: Readable.from(recorder.read()), type }
      },
    },
  ]
}
