/** Every operation of the interface document with every code that it lists, one line each, in the order of the document. */
const listed = `
GET /availability/unit-types 200 400 500
PATCH /availability/unit-types/{unitTypeId} 204
GET /availability/units 200 400 500
PATCH /availability/units/{unitId} 204
GET /availability/reservations/{reservationId}/units 200 400 404 500
GET /availability/reservations/{reservationId}/stays/{stayId}/units 200 400 404 500
GET /pms/providers/{configurationId}/extensions/{extensionName} 200 404
POST /pms/providers/{configurationId}/extensions/{extensionName} 200 404
DELETE /pms/providers/{configurationId}/extensions/{extensionName} 200 404
GET /pms/providers/{configurationId}/capabilities 200 404
POST /reservations/{reservationId}/stays/{stayId}/actions/record-payment 201 400 422 500
POST /reservations/{reservationId}/actions/record-payment 201 400 422 500
GET /payments 200 400 500
GET /payments/{paymentId} 200 404 500
DELETE /payments/{paymentId} 204
GET /profiles 200 400 401 403 404 422 429 500
POST /profiles 201 400 422 500
GET /profiles/{profileId} 200 404 500
PUT /profiles/{profileId} 204
PATCH /profiles/{profileId} 204
DELETE /profiles/{profileId} 204 409
GET /properties 200 400 500
POST /properties 201 400 422 500
GET /properties/{propertyId} 200 404 500
PUT /properties/{propertyId} 204
DELETE /properties/{propertyId} 204
GET /rate-plans 200 400 500
POST /rate-plans 201 400 422 500
GET /rate-plans/{ratePlanId} 200 404 500
PUT /rate-plans/{ratePlanId} 204
DELETE /rate-plans/{ratePlanId} 204
GET /reservations 200 400 500
POST /reservations 201 400 422 500
GET /reservations/{reservationId} 200 404 500
PUT /reservations/{reservationId} 204
PATCH /reservations/{reservationId} 204
DELETE /reservations/{reservationId} 204
GET /services 200 400 500
POST /services 201 400 422 500
GET /services/{serviceId} 200 404 500
PUT /services/{serviceId} 204
DELETE /services/{serviceId} 204 409
GET /status 200 401 403 429 500
POST /reservations/{reservationId}/unit-assignments 200 400 404 422 500
POST /reservations/{reservationId}/stays 201 400 422 500
PUT /reservations/{reservationId}/stays/{stayId} 204
PATCH /reservations/{reservationId}/stays/{stayId} 204
DELETE /reservations/{reservationId}/stays/{stayId} 204
PUT /reservations/{reservationId}/stays/{stayId}/units 204
PUT /reservations/{reservationId}/stays/{stayId}/services 204
POST /reservations/{reservationId}/stays/{stayId}/unit-assignment 200 400 404 409 422 500
GET /unit-types 200 400 500
POST /unit-types 201 400 415 422 500
GET /unit-types/{unitTypeId} 200 404 500
PUT /unit-types/{unitTypeId} 204 400 404 415 422 500
DELETE /unit-types/{unitTypeId} 204 404 409 500
POST /batch/unit-types 201 400 422 500
POST /batch/units 201 400 422 500
GET /unit-types/{unitTypeId}/units 200 404 500
GET /units 200 400 500
POST /units 201 400 404 415 422 500
GET /units/{unitId} 200 404 500
PUT /units/{unitId} 204 400 404 415 422 500
`

/** What the document leaves open and is decided: the codes of PATCH of a unit, and operations beside the document. */
const decided = `
PATCH /units/{unitId} 204 400 404 409 412 415 422 500
GET /reservations/{reservationId}/stays 200 404
GET /reservations/{reservationId}/stays/{stayId} 200 404
GET /found-stays 200 400 403 500
GET /cancellation-policies 200 400
POST /cancellation-policies 201 422
GET /cancellation-policies/{cancellationPolicyId} 200 404
PUT /cancellation-policies/{cancellationPolicyId} 204
DELETE /cancellation-policies/{cancellationPolicyId} 204 409
GET /amenities 200 400
POST /amenities 201 422
GET /amenities/{amenityId} 200 404
PUT /amenities/{amenityId} 204
DELETE /amenities/{amenityId} 204 409
POST /stays/{stayId}/actions/hand-over 201 400 404 422 429 500
POST /stays/{stayId}/actions/release 200 404 409
POST /stays/{stayId}/actions/share 200 400 404 409 422 500
GET /hand-overs 200 400 500
GET /hand-overs/{handOverId} 200 404 500
DELETE /hand-overs/{handOverId} 204 404
GET /help-calls 200 400 500
POST /help-calls 201 400 422 500
GET /help-calls/{helpCallId} 200 404 500
POST /help-calls/{helpCallId}/actions/take 200 404 412
GET /registrations 200 400 500
GET /registrations/{registrationId} 200 404 500
GET /registrations/by-arrival/{date} 200 400
PUT /stays/{stayId}/registrations/{profileId} 204 400 404 409 412 422 500
GET /stays/{stayId}/missing-registrations 200 400 404 500
POST /reservations/{reservationId}/stays/{stayId}/actions/record-refund 201 400 404 409 422 500
DELETE /payments/{paymentId} 409
POST /stays/{stayId}/actions/pay-at-terminal 201 400 404 409 422 500 502
POST /stays/{stayId}/actions/cancel-terminal-payment 200 400 404 409 500 502
GET /stays/{stayId}/terminal-payment 200 400 404 500
POST /stays/{stayId}/actions/settle-terminal-payment 200 400 404 409 422 500
GET /terminal-payments 200 400 500
GET /terminal-payments/{terminalPaymentId} 200 404 500
`

/** `GET /units 200`, and so on: an operation with one code. */
export type Promised = `${string} ${string} ${number}`

/** Each operation of a list with each of its codes. */
export function promisedBy(lines: string): Promised[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [method, path, ...codes] = line.split(' ')
      return codes.map((code): Promised => `${method} ${path} ${Number(code)}`)
    })
}

export const promised: readonly Promised[] = [...promisedBy(listed), ...promisedBy(decided)]
