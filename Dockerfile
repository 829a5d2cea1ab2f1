# The Node that the tests run on, as package.json has it. A digest (node:…@sha256:…) handed over pins the bytes too.
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /source
COPY package.json package-lock.json ./
# The one script that a dependency has would bring the Node that is here already.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --silent && mv analytics-workspace-conformance-*.tgz package.tgz

FROM ${NODE} AS install
WORKDIR /installed
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY --from=build /source/package.tgz ./
RUN tar -xzf package.tgz --strip-components=1 && rm package.tgz

FROM ${NODE}
ENV NODE_ENV=production
COPY --from=install /installed /opt/awc
# Without rights. Whoever mounts a folder of their own to write reports into names themselves: docker run --user.
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/awc/cli/awc.mjs"]
CMD ["--help"]
