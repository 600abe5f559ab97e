# The image of the controller and of the command line: one static binary, and
# the certificates of public authorities. docs/install.md says how to build it.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION=dev
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath \
    -ldflags "-s -w -X github.com/tidemark/tidemark/internal/cli/version.Number=$VERSION" \
    -o /tidemark ./cmd/tidemark

FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title="Tidemark" \
      org.opencontainers.image.description="Decides how many pods a workload has and how large each one is, and says why." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /tidemark /tidemark
USER 65532:65532
ENTRYPOINT ["/tidemark"]
