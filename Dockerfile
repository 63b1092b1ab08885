# The browsers' parts and the server's bundle are built here; nothing of this stage but these files is kept.
FROM node:24-slim AS build
WORKDIR /foyer
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/sdk/package.json packages/sdk/
COPY packages/widget/package.json packages/widget/
COPY packages/dashboard/package.json packages/dashboard/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FOYER_DATA_DIR=/data
WORKDIR /foyer
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/sdk/package.json packages/sdk/
COPY packages/widget/package.json packages/widget/
COPY packages/dashboard/package.json packages/dashboard/
# The server's packages alone; this image's own Node takes the place of the one that the lockfile carries.
RUN npm ci --omit=dev --ignore-scripts --workspace @foyer/server --workspace @foyer/protocol \
  && npm cache clean --force
COPY packages/protocol packages/protocol
COPY packages/server packages/server
COPY --from=build /foyer/packages/server/dist packages/server/dist
COPY --from=build /foyer/packages/sdk/dist packages/sdk/dist
COPY --from=build /foyer/packages/widget/dist packages/widget/dist
COPY --from=build /foyer/packages/dashboard/dist packages/dashboard/dist
# Makes the links that PostgreSQL's package leaves to its install script, and shows that it runs here.
RUN node -e "import('./packages/server/src/db/embedded/binaries.ts').then(({ findBinaries }) => findBinaries())" \
  && install -d -m 700 -o node -g node /data

USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/bin/foyer.js", "start"]
