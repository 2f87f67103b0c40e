package controlplane

import (
	"context"
	"fmt"
	"strings"
)

func explainCache(dir string, err error) error {
	return fmt.Errorf("cache folder %s: %w", dir, err)
}

func explainGo(ctx context.Context, err error, last []string) error {
	return fmt.Errorf("go: %w\n%s", err, strings.Join(last, "\n"))
}
