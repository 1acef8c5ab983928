/** Where the commands look for the appliance, and with which token, unless they are told otherwise. */
export const defaultUrl = 'http://127.0.0.1:8080'
export const defaultToken = 'demo'
export const tokenVariable = 'NIGHTPORTER_TOKEN'
