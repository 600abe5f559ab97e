module github.com/tidemark/tidemark

go 1.26.0
