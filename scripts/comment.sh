#!/bin/sh
# Posts a review as one comment of a pull request or merge request, and updates it on the next run.
#
#   comment.sh github FILE   needs gh, GH_TOKEN, REPOSITORY, HEAD_SHA, HEAD_OWNER, HEAD_BRANCH
#   comment.sh gitlab FILE   needs curl, jq, COMMENT_TOKEN, and the variables of a merge request pipeline
#
# The file comes from a job that ran the code of a pull request, so it is data only: it is bounded, and never executed.
set -eu

marker='<!-- sitegate review -->'
limit=65000

fail() {
  echo "comment.sh: $1" >&2
  exit 1
}

[ $# -eq 2 ] || fail 'usage: comment.sh github|gitlab FILE'
[ -f "$2" ] && [ ! -L "$2" ] || fail "$2 is not a file"
[ "$(wc -c < "$2")" -le "$limit" ] || fail "$2 is larger than $limit bytes"
[ "$(head -n 1 "$2")" = "$marker" ] || fail "$2 is not a review of \`sitegate diff --format markdown\`"

case "$1" in
  github)
    # The open pull request whose last commit was built. A number in the artifact could name another one.
    number=$(gh api --method GET "repos/$REPOSITORY/pulls" -f state=open -f "head=$HEAD_OWNER:$HEAD_BRANCH" \
      --jq "map(select(.head.sha == \"$HEAD_SHA\"))[0].number // empty")
    [ -n "$number" ] || { echo 'no open pull request has this commit; nothing to do'; exit 0; }
    comment=$(gh api --paginate "repos/$REPOSITORY/issues/$number/comments" \
      --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id" | head -n 1)
    if [ -n "$comment" ]; then
      gh api --method PATCH "repos/$REPOSITORY/issues/comments/$comment" -F "body=@$2" --silent
    else
      gh api --method POST "repos/$REPOSITORY/issues/$number/comments" -F "body=@$2" --silent
    fi
    ;;
  gitlab)
    notes="$CI_API_V4_URL/projects/$CI_MERGE_REQUEST_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"
    # The token is in a file, because other processes see arguments.
    settings=$(mktemp)
    trap 'rm -f "$settings"' EXIT
    printf 'header = "PRIVATE-TOKEN: %s"\n' "$COMMENT_TOKEN" > "$settings"
    request() { curl --fail --silent --show-error --config "$settings" "$@"; }
    note=$(request "$notes?per_page=100&sort=asc" |
      jq -r --arg marker "$marker" 'map(select(.body | startswith($marker)))[0].id // empty')
    if [ -n "$note" ]; then
      request --request PUT --data-urlencode "body@$2" "$notes/$note" > /dev/null
    else
      request --request POST --data-urlencode "body@$2" "$notes" > /dev/null
    fi
    ;;
  *) fail "unknown service $1" ;;
esac
