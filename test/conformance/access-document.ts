import { type Promised, promisedBy } from './document.ts'

/** Every operation of the access document with every code that it lists, one line each, in the order of the document. */
const listed = `
GET /access/providers/{configurationId}/capabilities 200 404
GET /access/providers/{configurationId}/extensions/{extensionName} 200 404 502
GET /access/dispensers/{dispenserId}/status 200 404 500
PUT /access/dispensers/{dispenserId}/status/{state} 204
PUT /access/dispensers/{dispenserId}/place-card/{cardPosition} 204
POST /access/dispensers/{dispenserId}/reset-cache 200 404
POST /access/dispensers/reset-all-cache 200
GET /access/controllers/{controllerId}/key 200 404 500 502
POST /access/controllers/{controllerId}/key 201 400 422 500 502
DELETE /access/controllers/{controllerId}/key 204
POST /access/controllers/{controllerId}/keys 201 400 422 500
PUT /access/controllers/{controllerId}/keys/by-reservation/{stayExternalId} 200 400 404 422 500 502
GET /access/keys 200 400 500
GET /access/keys/{keyId} 200 404 500
PUT /access/keys/{keyId} 204
DELETE /access/keys/{keyId} 204
GET /access/units 200 400 500
POST /access/units 201 400 422 500
GET /access/units/{unitId} 200 404 500
PUT /access/units/{unitId} 204
DELETE /access/units/{unitId} 204
`

/** What the document leaves open and is decided: further codes of its operations, and operations beside it. */
const decided = `
PUT /access/dispensers/{dispenserId}/status/{state} 400 404 409 412 502
PUT /access/dispensers/{dispenserId}/place-card/{cardPosition} 400 404 409 422 502
DELETE /access/controllers/{controllerId}/key 404 409 502
POST /access/controllers/{controllerId}/key 404 409
POST /access/controllers/{controllerId}/keys 404 409 502
PUT /access/keys/{keyId} 400 404 409 412 422 502
PUT /access/controllers/{controllerId}/keys/by-reservation/{stayExternalId} 409 412
DELETE /access/keys/{keyId} 404 412
PUT /access/units/{unitId} 400 404 412 422
DELETE /access/units/{unitId} 404 412
POST /access/controllers/{controllerId}/one-shot-key 201 404 422 502
POST /access/controllers/{controllerId}/spare-keys 201 404 422
PUT /access/controllers/{controllerId}/shown-card 200 403 404 502
POST /access/keys/{keyId}/actions/block 200 404 409
POST /access/keys/{keyId}/actions/seen-at-door 200 404
POST /access/keys/{keyId}/actions/ask-now 200 404
POST /access/keys/{keyId}/actions/reencode 201 404 422
POST /access/keys/{keyId}/actions/move 200 404 409 422
POST /access/keys/{keyId}/actions/extend 200 404 409 422
GET /access/units-with-older-keys 200 400
GET /access/controllers 200 400
GET /access/controllers/{controllerId} 200 404
GET /access/dispensers 200 400
GET /access/dispensers/{dispenserId} 200 404
GET /access/card-runs 200 400
GET /access/card-runs/{cardRunId} 200 404
GET /access/card-runs/by-stay/{stayId} 200 400 403
POST /access/dispensers/{dispenserId}/actions/refill 200 404 422
POST /access/dispensers/{dispenserId}/actions/empty-bin 200 404
PATCH /access/dispensers/{dispenserId}/counters 204 404 409 422
`

export const accessPromised: readonly Promised[] = [...promisedBy(listed), ...promisedBy(decided)]
