import { killRow } from './kill.ts';
import { faults } from '../reference/faults/faults.ts';
import { sweep } from './sweep.ts';
import { checksOf } from './trial.ts';
const [name = '', req = '', cases = '0'] = process.argv.slice(2);
const fault = faults.find((f) => f.name === name);
if (fault) console.log(JSON.stringify(await killRow(fault, 1, checksOf(fault.breaks))));
if (req !== '') console.log(JSON.stringify(await sweep(3, Number(cases), checksOf(req))));
