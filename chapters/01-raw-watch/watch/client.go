package watch

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
)

// Client reads collections of one API server. It is safe for concurrent use.
type Client struct {
	// Server is the API server's URL without a trailing slash.
	Server string
	// HTTP sends the requests, with the credentials. It must have no Timeout: that clock runs until the body has been
	// read, so that it ends every watch, also one that works.
	HTTP *http.Client
}

// maxErrorBody bounds what is read of an error's body. A Status is a few hundred bytes.
const maxErrorBody = 1 << 20

// Watch opens a watch of the collection at path, which [Path] makes. It returns when the response's header is there,
// which can be long before the first event. The caller closes the stream, or ends ctx, which closes it too.
//
// What the server refuses is a [*StatusError]. Upstream: rest.Request.Watch.
func (c *Client) Watch(ctx context.Context, path string, o Options) (*Stream, error) {
	if c.HTTP.Timeout != 0 {
		return nil, fmt.Errorf("watching %s: http.Client.Timeout is %s and would cut the stream then: "+
			"bound the watch with Options.TimeoutSeconds or the context", path, c.HTTP.Timeout)
	}
	resp, err := c.get(ctx, path, o.query(true))
	if err != nil {
		return nil, err
	}
	return newStream(resp), nil
}

// get sends a GET and returns the response of a success, its body unread.
func (c *Client) get(ctx context.Context, path, query string) (*http.Response, error) {
	u, err := url.Parse(c.Server + path)
	if err != nil {
		return nil, err
	}
	u.RawQuery = query
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if err := verify(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// verify refuses a response that is no success, and one that is not the API server's: a 200 with a login page in it.
func verify(resp *http.Response) error {
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		if err != nil {
			return fmt.Errorf("%s, and its body: %w", resp.Status, err)
		}
		status := decodeStatus(body, resp.StatusCode)
		if status.Details.RetryAfterSeconds == 0 {
			// Priority and fairness refuses with a line of text:
			// the delay stands in the header alone. Not a number is no delay.
			status.Details.RetryAfterSeconds, _ = strconv.Atoi(resp.Header.Get("Retry-After"))
		}
		return status
	}
	if t, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); t != "application/json" {
		return fmt.Errorf("%s answered with %q where application/json was asked for: is this an API server?",
			resp.Request.URL.Host, resp.Header.Get("Content-Type"))
	}
	return nil
}
