# The Node version of package.json, which the tests run on. The digest pins the exact image, and has no default: the registry of images
# could not be asked when this file was written. Without a digest, the build fails. docs/gating-ci.md shows how to get it.
ARG DIGEST

FROM node:24.21.0-bookworm-slim@${DIGEST} AS build
WORKDIR /source
COPY package.json package-lock.json ./
# Of the install scripts of dependencies, one downloads Node, which is already here, and one only warns.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --silent && mv analytics-workspace-conformance-*.tgz package.tgz

FROM node:24.21.0-bookworm-slim@${DIGEST} AS install
WORKDIR /installed
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY --from=build /source/package.tgz ./
RUN tar -xzf package.tgz --strip-components=1 && rm package.tgz

FROM node:24.21.0-bookworm-slim@${DIGEST}
ENV NODE_ENV=production
COPY --from=install /installed /opt/awc
# Not root. To write reports into a mounted folder, pass its owner with docker run --user.
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/awc/cli/awc.mjs"]
CMD ["--help"]
