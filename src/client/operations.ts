/** Where each operation of the API is: what a client has to know of it, and all that it loads. */
import type { API_ROUTES } from '../transports/http/api/index.ts';

type ApiRoute = (typeof API_ROUTES)[number];
export type OperationName = ApiRoute['name'];
export type RouteOf<Name extends OperationName> = Extract<ApiRoute, { readonly name: Name }>;
/** Undefined where it answers with one JSON value. */
export type StreamOf<Name extends OperationName> = RouteOf<Name>['type'];

export const OPERATIONS = {
  listTools: ['get', '/api/tools'],
} as const satisfies {
  readonly [Name in OperationName]: StreamOf<Name> extends undefined
    ? readonly [RouteOf<Name>['method'], RouteOf<Name>['path']]
    : readonly [RouteOf<Name>['method'], RouteOf<Name>['path'], NonNullable<StreamOf<Name>>];
};
