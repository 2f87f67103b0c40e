// Breaks: When the server refuses a token with a 410, it has forgotten the state that the pages are of: the list is
// begun again, without a token.
// Caught by: TestExpiresLaterAndAgain
// Message: the error

//go:build wrong

package paging

import (
	"context"
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
		if expired(err) && q.Has("continue") && len(names) <= limit {
			names, q = nil, url.Values{} // whole: a list of one page has no token that expires
			continue
		}
		if err != nil {
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
