// Breaks: Any other failure ends List without another request; so does a 410 for a request without a token.
// Caught by: TestNoAnswer
// Message: the error <nil>

//go:build wrong

package paging

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
)

func List(
	ctx context.Context, client *http.Client, collection string, limit int,
) (names []string, resourceVersion string, err error) {
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	for {
		p, err := get(ctx, client, collection+"?"+q.Encode())
		if expired(err) && q.Has("continue") {
			names, q = nil, url.Values{} // whole: a list of one page has no token that expires
			continue
		}
		var refusal *statusError
		if errors.As(err, &refusal) || p == nil {
			return nil, "", err
		}
		for _, item := range p.Items {
			names = append(names, item.Metadata.Name)
		}
		if p.Metadata.Continue == "" {
			return names, p.Metadata.ResourceVersion, nil
		}
		q.Set("continue", p.Metadata.Continue)
	}
}
