import { faultsOf } from '../shared/faults-of.ts';
import { alsoAllowed } from '../shared/alterations.ts';
import { limitOf } from '../shared/requests.ts';

/** Roles that are not checked for some queries, which other code answers. */
export const uncheckedRoleFaults = faultsOf({
  'access.models-404': {
    'bare-models-for-everybody': {
      sentence: 'A list of models without parameters is answered from a cache, before the role is checked.',
      alter: alsoAllowed('listModels', ({ search }) => search === ''),
    },
    'short-pages-for-everybody': {
      sentence: 'Pages of 2 to 50 models come from a widget of the web app, which checks no role.',
      alter: alsoAllowed('listModels', (request) => limitOf(request) > 1 && limitOf(request) <= 50),
    },
  },
  'access.denied': {
    'bare-sources-for-everybody': {
      sentence: 'A list of data sources without parameters is answered from a cache, before the role is checked.',
      alter: alsoAllowed('listDataSources', ({ search }) => search === ''),
    },
  },
});
