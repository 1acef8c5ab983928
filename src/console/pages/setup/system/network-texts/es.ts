import type { NetworkTexts } from '../network-texts.ts'

export const es: NetworkTexts = {
  notAnImage: 'Esta máquina no ejecuta la imagen de una caja. Su propio sistema configura la red.',
  why: 'Un cambio está a prueba dos minutos. Si no lo conserva en la nueva dirección, la caja lo deshace, y así ningún error le deja fuera.',
  address: 'Dirección',
  addressHint: 'dhcp, o una dirección como 192.168.1.10/24',
  gateway: 'Puerta de enlace',
  gatewayHint: 'Vacío si no hay: la caja solo alcanza entonces su propia red.',
  dns: 'Servidores de nombres',
  dnsHint: 'Direcciones separadas por espacios. Con dhcp llegan solas.',
  change: 'Probar esta red',
  underWay: 'Se está cambiando la red. Si esta página no responde, abra la nueva dirección.',
  openThere: 'Abra la página en la nueva dirección y conserve allí la red:',
  lookAtScreen: 'La caja recibe ahora su dirección de la red. Su pantalla la muestra: abra allí la página.',
  keep: 'Conservar esta red',
  onTrial: (time) => `Una red nueva está a prueba hasta las ${time}.`,
  results: {
    kept: 'La nueva red se conserva.',
    undone: 'El cambio se ha deshecho: nadie lo conservó en dos minutos.',
  },
}
