# Fairpair in a container: docker compose up -d. Its data lie in the volume /data: the database and its backups.
FROM python:3.13-slim AS build
COPY pyproject.toml constraints.txt PACKAGE.md LICENSE /src/
# First the packages it needs: they are downloaded again only when these files change.
RUN python -m venv /app \
    && python -c "import tomllib; \
project = tomllib.load(open('/src/pyproject.toml', 'rb'))['project']; \
print(*project['dependencies'], sep='\n')" > /src/needed.txt \
    && /app/bin/pip install --no-cache-dir --constraint /src/constraints.txt --requirement /src/needed.txt
COPY bot /src/bot
COPY cogs /src/cogs
COPY storage /src/storage
RUN /app/bin/pip install --no-cache-dir --no-deps --constraint /src/constraints.txt /src \
    && /app/bin/pip uninstall --yes pip

# The practice server, only with compose.practice.yaml. It answers its own machine alone, so socat lets the container's
# address in: Docker publishes no other.
FROM python:3.13-slim AS practice
RUN apt-get update \
    && apt-get install --yes --no-install-recommends socat \
    && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml constraints.txt PACKAGE.md LICENSE /src/
COPY bot /src/bot
COPY cogs /src/cogs
COPY storage /src/storage
RUN pip install --no-cache-dir --constraint /src/constraints.txt --editable '/src[practice]'
ENV PYTHONUNBUFFERED=1 DATABASE=/tmp/league.db
USER nobody
WORKDIR /tmp
CMD ["sh", "-c", "for port in 8765 8766; do \
    socat TCP-LISTEN:$port,bind=$(hostname -i),fork,reuseaddr TCP:127.0.0.1:$port & done; \
    exec python -m bot practice --port 8765"]

FROM python:3.13-slim
# Letters for names in scripts that the built-in font lacks; leave it out for an image 138 MB smaller.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-noto-core fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/*
# SQLite without the WAL-reset bug (docs/scale.md): Debian's own package, of its next release; nothing else is from there.
RUN sed '/^$/Q; s/^Suites: .*/Suites: forky/' /etc/apt/sources.list.d/debian.sources > /etc/apt/sources.list.d/next.sources \
    && apt-get update \
    && apt-get install --yes --no-install-recommends libsqlite3-0/forky \
    && rm -rf /etc/apt/sources.list.d/next.sources /var/lib/apt/lists/* \
    && python -c "import sqlite3; assert sqlite3.sqlite_version_info >= (3, 51, 3), sqlite3.sqlite_version"
LABEL org.opencontainers.image.title="Fairpair" \
    org.opencontainers.image.description="A Discord bot that runs online leagues in seasons, with pairings anyone can check" \
    org.opencontainers.image.licenses="MIT"
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin fairpair \
    && install --directory --owner=fairpair --group=fairpair /data
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH PYTHONUNBUFFERED=1 DATABASE=/data/league.db HEALTH_PORT=8080
USER fairpair
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/', timeout=8)"]
# Python is the first process, so that it hears when the container is stopped, and ends in order.
ENTRYPOINT ["python", "-m", "bot"]
CMD ["run"]
