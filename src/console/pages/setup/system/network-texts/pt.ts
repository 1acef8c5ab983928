import type { NetworkTexts } from '../network-texts.ts'

export const pt: NetworkTexts = {
  notAnImage: 'Esta máquina não corre a imagem de uma caixa. O seu próprio sistema define a rede.',
  why: 'Uma mudança fica à experiência dois minutos. Se não a mantiver no novo endereço, a caixa desfá-la, e assim nenhum erro o deixa de fora.',
  address: 'Endereço',
  addressHint: 'dhcp, ou um endereço como 192.168.1.10/24',
  gateway: 'Gateway',
  gatewayHint: 'Vazio se não houver: a caixa alcança então só a sua própria rede.',
  dns: 'Servidores de nomes',
  dnsHint: 'Endereços separados por espaços. Com dhcp vêm sozinhos.',
  change: 'Experimentar esta rede',
  underWay: 'A rede está a ser mudada. Se esta página ficar calada, abra o novo endereço.',
  openThere: 'Abra a página no novo endereço e mantenha lá a rede:',
  lookAtScreen: 'A caixa recebe agora o endereço da rede. O ecrã mostra-o: abra lá a página.',
  keep: 'Manter esta rede',
  onTrial: (time) => `Uma rede nova está à experiência até às ${time}.`,
  results: {
    kept: 'A nova rede fica.',
    undone: 'A mudança foi desfeita: ninguém a manteve em dois minutos.',
  },
}
