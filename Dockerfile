# One image for the API, the projector, the workers and the thinkers; compose.yaml says which command each runs.
FROM python:3.11-slim AS build
WORKDIR /src
COPY . .
RUN pip install --no-cache-dir --prefix=/installed --constraint constraints.txt .

FROM python:3.11-slim
RUN useradd --system --uid 999 --create-home --home-dir /var/lib/stele stele
COPY --from=build /installed /usr/local
USER stele
ENV STELE_DATA_DIR=/var/lib/stele \
    PYTHONUNBUFFERED=1
VOLUME /var/lib/stele
EXPOSE 8000
CMD ["python", "-m", "services.api"]
