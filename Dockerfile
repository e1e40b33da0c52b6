# docker build -t clade . && docker run --rm clade build/release/bin/clade-es --list-envs
FROM debian:12-slim
WORKDIR /clade
COPY . .
RUN tools/setup.sh && rm -rf /var/lib/apt/lists/*
RUN cmake --preset release && cmake --build --preset release --target programs
CMD ["tools/quickstart.sh"]
