package supervisor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// client speaks the few words with the API server that a start needs.
type client struct {
	host string
	http *http.Client
}

func newClient(c *rest.Config) (*client, error) {
	h, err := rest.HTTPClientFor(c)
	if err != nil {
		return nil, err
	}
	return &client{host: strings.TrimSuffix(c.Host, "/"), http: h}, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// version asks for the API server's version.
func (c *client) version(ctx context.Context) (string, error) {
	var v struct{ GitVersion string }
	body, err := c.do(ctx, http.MethodGet, "/version", nil)
	if err != nil {
		return "", err
	}
	defer body.Close()
	if err := json.NewDecoder(body).Decode(&v); err != nil {
		return "", fmt.Errorf("read the API server's version: %w", err)
	}
	return v.GitVersion, nil
}

// waitFor watches one object of a collection until an event of the wanted type comes, after the resourceVersion since.
// With since empty, a watch begins with ADDED for what exists.
func (c *client) waitFor(ctx context.Context, collection, name, since, want string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	query := url.Values{"watch": {"1"}, "fieldSelector": {"metadata.name=" + name}}
	if since != "" {
		query.Set("resourceVersion", since)
	}
	for {
		body, err := c.do(ctx, http.MethodGet, collection+"?"+query.Encode(), nil)
		if err != nil {
			return fmt.Errorf("wait for %s %s: %w", name, strings.ToLower(want), err)
		}
		events := json.NewDecoder(body)
		for {
			var event struct{ Type string }
			if err = events.Decode(&event); err != nil {
				break
			}
			if event.Type == want {
				return body.Close()
			}
		}
		body.Close()
		if ctx.Err() != nil {
			return fmt.Errorf("wait for %s %s: %w", name, strings.ToLower(want), ctx.Err())
		}
	}
}

// create posts an object and returns its resourceVersion.
func (c *client) create(ctx context.Context, collection, object string) (resourceVersion string, err error) {
	body, err := c.do(ctx, http.MethodPost, collection, strings.NewReader(object))
	if err != nil {
		return "", err
	}
	defer body.Close()
	var created struct {
		Metadata struct{ ResourceVersion string }
	}
	if err := json.NewDecoder(body).Decode(&created); err != nil {
		return "", fmt.Errorf("read what was created: %w", err)
	}
	return created.Metadata.ResourceVersion, nil
}

// do sends a request; an answer other than 2xx is an error.
func (c *client) do(ctx context.Context, method, path string, body io.Reader) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.host+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 500))
		answer.Body.Close()
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, bytes.TrimSpace(text))
	}
	return answer.Body, nil
}
