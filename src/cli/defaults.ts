/** The default URL of the appliance and the default token of the commands. */
export const defaultUrl = 'http://127.0.0.1:8080'
export const defaultToken = 'demo'
export const tokenVariable = 'NIGHTPORTER_TOKEN'
